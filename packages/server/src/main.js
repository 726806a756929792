#!/usr/bin/env node
// This file is JavaScript, so that the cache of compiled modules is in use before Node reads any TypeScript. With the
// cache, a process needs 20 MB less, because it does not load Node's TypeScript compiler.
import { enableCompileCache } from 'node:module'
import path from 'node:path'

// The cache is kept in the installation folder, which only its owner can write to. In Node's default folder,
// which is in /tmp, other users could plant code.
enableCompileCache(path.join(import.meta.dirname, '../../../.tmp/compiled'))
const { allowBackgroundCompilers } = await import('./platform/background-compilers.ts')
allowBackgroundCompilers(false)
// Loaded after the compile cache is enabled, because a short command spends most of its time compiling modules.
const { runCommand } = await import('./cli/command-line.ts')
await runCommand(process.argv)
