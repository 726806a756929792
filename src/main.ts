#!/usr/bin/env node
import { allowBackgroundCompilers } from './platform/background-compilers.ts'

allowBackgroundCompilers(false)
// Only now: what a short command has compiled is mostly what loads the program.
const { runCommand } = await import('./cli/command-line.ts')
await runCommand(process.argv)
