// Explains why the server could not be started. This folder is self-contained: it imports nothing from the rest
// of the program.

/** The message is one line that tells the operator what happened and what to do. */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError'
}

export function explain(error: unknown, folder: string): unknown {
  const code = codeOf(error)
  const { message, path = folder, syscall = '' } = errorOf(error)
  const explained = (line: string) => new EmbeddedPostgresError(line, { cause: error })
  if (['ENOSPC', 'EDQUOT'].includes(code) || message.includes('No space left on device'))
    return explained(
      `no space is left for ${folder}: free some space, or set DATA_DIR to a folder on another disk`,
    )
  if (error instanceof EmbeddedPostgresError || code === '') return error
  if (syscall.startsWith('spawn'))
    return explained(`PostgreSQL cannot run on this system (${message}): set DATABASE_URL to your own server`)
  if (['EACCES', 'EPERM', 'EROFS'].includes(code))
    return explained(
      `this user cannot read and write ${path}: change its owner, or set DATA_DIR to another folder`,
    )
  if (['ENOTDIR', 'EEXIST'].includes(code))
    return explained(`${path} is not a folder: remove it, or set DATA_DIR to another folder`)
  return explained(`PostgreSQL could not be started in ${folder}: ${message}`)
}

/** Extracts the cause of a failure from the output of a PostgreSQL program. */
export const failureIn = (output: string): string =>
  /(?:FATAL|PANIC|error): +(.+)/.exec(output)?.[1] ?? output.trim().split('\n').at(-1) ?? ''

/** Casts a thrown value to an error of the operating system or of a child process. */
export const errorOf = (thrown: unknown): NodeJS.ErrnoException & { stderr?: string } =>
  thrown instanceof Error ? thrown : new Error(String(thrown))

export const codeOf = (thrown: unknown): string => String(errorOf(thrown).code ?? '')

export function ignore(...codes: string[]): (error: unknown) => undefined {
  return (error) => {
    if (!codes.includes(codeOf(error))) throw error
  }
}
