"""Does the panel take other voices for the Court's? One fictional case in many layouts.

`case` holds the case and who says what in it, `layouts` writes it as courts and publishers do, `bench` asks the panel.
"""
