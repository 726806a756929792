import { readFileSync } from 'node:fs'
import { type Mapping, readMapping, simulatorMapping } from './mapping.ts'

/** The built-in mappings, by file name. The simulator's mapping is defined in code. */
export const mappingNames = ['simulator', 'mpesa-pull', 'mtn-collections', 'mtn-disbursements'] as const
export type MappingName = (typeof mappingNames)[number]

export const namedMapping = (name: MappingName): Mapping =>
  name === 'simulator'
    ? simulatorMapping
    : readMapping(readFileSync(new URL(`mappings/${name}.json`, import.meta.url), 'utf8'))
