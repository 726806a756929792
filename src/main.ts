#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import path from 'node:path'
import { allowBackgroundCompilers } from './platform/background-compilers.ts'

allowBackgroundCompilers(false)
// In the installation, where only its owner can write. Anyone could put code into Node's default folder in /tmp.
enableCompileCache(path.join(import.meta.dirname, '../.tmp/compiled'))
// Only now: what a short command has compiled is mostly what loads the program.
const { runCommand } = await import('./cli/command-line.ts')
await runCommand(process.argv)
