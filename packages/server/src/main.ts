#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import path from 'node:path'
import { allowBackgroundCompilers } from './platform/background-compilers.ts'

allowBackgroundCompilers(false)
// The cache is kept in the installation folder, which only its owner can write to. In Node's default folder,
// which is in /tmp, other users could plant code.
enableCompileCache(path.join(import.meta.dirname, '../../../.tmp/compiled'))
// Loaded after the compile cache is enabled, because a short command spends most of its time compiling modules.
const { runCommand } = await import('./cli/command-line.ts')
await runCommand(process.argv)
