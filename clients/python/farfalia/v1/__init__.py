"""The contract: generated from `proto/farfalia/v1`, never edited."""
