/** The languages of code samples. The language that a reader chooses applies to all pages. */
export const sampleLanguages = ['curl', 'SDK', 'PHP'] as const
