/** What a reader can choose to see samples in, once for all pages. */
export const kinds = ['curl', 'SDK', 'PHP'] as const
