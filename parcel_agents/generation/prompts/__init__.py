"""What models are told when they write or rate claims: text files, versioned by name, never changed once used."""
