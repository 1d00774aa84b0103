"""The paper's tables and pictures for any run: `evaluate` computes, `tables` and `figures` show, `page` prints."""
