"""A club to look at: people, leagues, and hands that were really played, by simple players."""
