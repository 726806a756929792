/** Languages of code samples. A reader's choice applies to all pages. */
export const sampleLanguages = ['curl', 'SDK', 'PHP'] as const
