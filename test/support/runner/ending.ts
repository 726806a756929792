import path from 'node:path'

const closing: (() => Promise<unknown>)[] = []

/** Whether this process runs several test files, one after the other. */
export const isShared = path.basename(process.argv[1] ?? '') === 'queue.ts'

/** Registers a function that is called after the last test file of this process. */
export function closeAtEnd(close: () => Promise<unknown>): void {
  closing.push(close)
}

export async function closeAll(): Promise<void> {
  for (const close of closing.splice(0).reverse()) await close()
}
