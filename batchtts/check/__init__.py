"""What is wrong with a clip, found cheaply from its samples."""
