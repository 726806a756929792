/** The languages of code samples. The language that a reader chooses applies to all pages. */
export const sampleLanguages = ['curl', 'SDK', 'PHP', 'Python'] as const

/** Returns what readers call a language: the samples of the SDK are in TypeScript. */
export const sampleLabel = (title: string) => (title === 'SDK' ? 'TypeScript' : title)
