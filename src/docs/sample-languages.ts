/** Languages of samples that a reader can choose, for all pages at once. */
export const sampleLanguages = ['curl', 'SDK', 'PHP'] as const
