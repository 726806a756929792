#!/usr/bin/env node
import { allowBackgroundCompilers } from './platform/background-compilers.ts'

allowBackgroundCompilers(false)
// Deferred to here, because a short command mostly compiles the modules that it loads.
const { runCommand } = await import('./cli/command-line.ts')
await runCommand(process.argv)
