/** Languages of samples that a reader can choose, for all pages at once. */
export const kinds = ['curl', 'SDK', 'PHP'] as const
