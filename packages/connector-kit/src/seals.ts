/**
 * Seals texts with the installation's secret key, so that nobody else can make them. The credentials of simulated
 * rails are derived from it: they are the same on all nodes, and different for each purpose.
 */
export type RailSeals = {
  /** Returns the sealed text. */
  seal(purpose: string, payload: string): string
  /** Returns the payload, or `undefined` if the text was altered or sealed for another purpose. */
  open(purpose: string, sealed: string): string | undefined
  /** Returns 22 characters that prove that we issued `text`. */
  tag(purpose: string, text: string): string
}
