/** What a payer dials: `*715*482915#`. */
export const dialOf = (shortCode: string, number: string) => `*${shortCode}*${number}#`
