// These exports are passed to earlier slices, which cannot import this slice.

