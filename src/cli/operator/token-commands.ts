import { type Command, InvalidArgumentError, Option } from 'commander'
import { durationMs, parseDuration } from '../../platform/duration.ts'
import type { IdKind } from '../../platform/ids.ts'
import { spaceIds, tokenIds, userIds } from '../../spaces/resources.ts'
import { idArgument, printing } from '../command.ts'
import type { TokenLife, TokenOptions } from './token-actions.ts'

// Loaded when they are run.
const actions = () => import('./token-actions.ts')

/** `pesewa tokens`: access tokens, with which programs call the API. */
export function addTokenCommands(program: Command): void {
  const commands = program.command('tokens').description('access tokens, with which programs call the API')
  printing(
    commands
      .command('create')
      .description('create an access token; its text is shown once')
      .requiredOption('--user <id>', 'usr-…', idArgument(userIds))
      .requiredOption('--environment <environment>', 'test or live')
      .requiredOption('--name <name>', 'what it is for')
      .option('--scopes <scopes>', 'comma-separated; * for all', listArgument, ['*'])
      .addOption(
        new Option('--expires <duration>', 'how long it is valid: 30d, 12h, or never')
          .argParser(lifeArgument)
          .default(defaultTokenLife, defaultTokenLife.text),
      )
      .option('--spaces <ids>', 'only these Spaces', idListArgument(spaceIds))
      .option('--ips <networks>', 'only these networks, like 10.0.0.0/8', listArgument),
    async (options: TokenOptions) => (await actions()).createToken(options),
  )
  printing(
    commands.command('list').description('list all access tokens, without their texts'),
    async () => (await actions()).listTokens(),
    {
      list: {
        columns: ['id', 'name', 'environment', 'status', 'expireTime', 'lastUseTime', 'userId'],
        empty:
          'No access tokens yet. Create one: pesewa tokens create --user <id> --environment test --name website',
      },
    },
  )
  printing(
    commands
      .command('show')
      .description('show an access token, without its text')
      .argument('<token>', 'tok-…', idArgument(tokenIds)),
    async (id: string) => (await actions()).showToken(id),
  )
  printing(
    commands
      .command('revoke')
      .alias('remove')
      .description('end an access token on every node within a second; it cannot be undone')
      .argument('<token>', 'tok-…', idArgument(tokenIds)),
    async (id: string) => (await actions()).revokeToken(id),
    { confirm: () => 'Revoke this token? What calls with it is refused from now on.' },
  )
}

const listArgument = (text: string) => text.split(',').map((entry) => entry.trim())
const idListArgument = (kind: IdKind) => (text: string) => listArgument(text).map(idArgument(kind))

const maxTokenLifeMs = durationMs('3650d') // limit: how long a token works, unless it is for ever

function lifeArgument(text: string): TokenLife {
  const ms = text === 'never' ? null : parseDuration(text)
  if (ms !== null && (!ms || ms > maxTokenLifeMs))
    throw new InvalidArgumentError('must be a duration like 90d, at most 3650d, or never.')
  return { text, ms }
}

const defaultTokenLife = lifeArgument('90d')
