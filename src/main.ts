#!/usr/bin/env node
import { runCommand } from './command-line.ts'

await runCommand(process.argv)
