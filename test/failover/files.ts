import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Machine } from './machines.ts'

// The files of the guide, deploy/high-availability, as they are on each machine.

const folder = path.resolve(import.meta.dirname, '../../deploy/high-availability')

/** Copies a file of the guide, unchanged, to its place on a machine. */
export const install = (machine: Machine, file: string, target: string) =>
  machine.run(['cp', path.join(folder, file), target])

/** Writes a file on a machine. */
export const write = (machine: Machine, target: string, text: string) =>
  machine.run(['sh', '-c', 'printf %s "$0" > "$1"', text, target])

export const textOf = (file: string): string => readFileSync(path.join(folder, file), 'utf8')

/**
 * Returns the variables of an environment file for a machine: the file is written for db1, and the name and addresses change,
 * except in the list of all members.
 */
export function environmentOf(file: string, { name, address }: Machine): Record<string, string> {
  const lines = textOf(file)
    .split('\n')
    .filter((line) => /^\w+=/.test(line))
  return Object.fromEntries(
    lines.map((line) => {
      const [key, value] = [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]
      if (key === 'ETCD_INITIAL_CLUSTER') return [key, value]
      return [key, value.replace(/^db1$/, name).replaceAll('10.0.0.11', address)]
    }),
  )
}
