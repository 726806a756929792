// How a start that fails is told.

/** Its message is one line for the operator: what happened, and what to do. */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError'
}

export function explain(error: unknown, folder: string): unknown {
  const code = codeOf(error)
  const { message, path = folder, syscall = '' } = errorOf(error)
  if (['ENOSPC', 'EDQUOT'].includes(code) || message.includes('No space left on device')) {
    return told(`no space is left for ${folder}: free some, or set DATA_DIR to a folder on another disk`)
  }
  if (error instanceof EmbeddedPostgresError || code === '') return error
  if (syscall.startsWith('spawn')) {
    return told(`PostgreSQL cannot run on this system (${message}): set DATABASE_URL to a server of your own`)
  }
  if (['EACCES', 'EPERM', 'EROFS'].includes(code)) {
    return told(
      `${path} cannot be read and written by this user: change its owner, or set DATA_DIR to another folder`,
    )
  }
  if (['ENOTDIR', 'EEXIST'].includes(code)) {
    return told(`${path} is not a folder: remove it, or set DATA_DIR to another folder`)
  }
  return told(`PostgreSQL could not be started in ${folder}: ${message}`)

  function told(line: string): EmbeddedPostgresError {
    return new EmbeddedPostgresError(line, { cause: error })
  }
}

// The cause in what one of PostgreSQL's programs printed.
export function failureIn(said: string): string {
  const cause = /(?:FATAL|PANIC|error): +(.+)/.exec(said)?.[1]
  return cause ?? said.trim().split('\n').at(-1) ?? ''
}

/** What was thrown, with what the system and its programs say of an error. */
export const errorOf = (thrown: unknown): NodeJS.ErrnoException & { stderr?: string } =>
  thrown instanceof Error ? thrown : new Error(String(thrown))

export const codeOf = (thrown: unknown): string => String(errorOf(thrown).code ?? '')

export function ignore(...codes: string[]): (error: unknown) => undefined {
  return (error) => {
    if (!codes.includes(codeOf(error))) throw error
  }
}
