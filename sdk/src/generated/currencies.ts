// Written by `npm run write` from `src/countries`: edit that instead.

/** Digits after the point of those currencies that have not two. */
export const digits: Readonly<Record<string, number>> = {
  BIF: 0,
  DJF: 0,
  GNF: 0,
  KMF: 0,
  RWF: 0,
  UGX: 0,
  XAF: 0,
  XOF: 0,
}
