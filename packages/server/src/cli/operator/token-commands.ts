import { type Command, InvalidArgumentError, Option } from 'commander'
import { durationMs, parseDuration } from '../../platform/duration.ts'
import type { IdKind } from '../../platform/ids.ts'
import { spaceIds, tokenIds, userIds } from '../../tenants/spaces/resources.ts'
import { commandGroup, idArgument, printing, shownId } from '../command.ts'
import { allOf, operating } from './operator-command.ts'
import type { TokenLife, TokenOptions } from './recovery-actions.ts'

/** Adds `pesewa tokens`, for the access tokens that programs use to call the API. */
export function addTokenCommands(program: Command): void {
  const add = commandGroup(program, 'tokens', 'access tokens that programs use to call the API')
  const ofToken = (command: Command) => command.argument('<token>', 'tok-…', shownId(tokenIds))
  printing(
    add('create', 'create an access token; the token is shown only once')
      .requiredOption('--user <id>', 'usr-…', idArgument(userIds))
      .requiredOption('--environment <environment>', 'test or live')
      .requiredOption('--name <name>', 'purpose of the token')
      .option('--scopes <scopes>', 'comma-separated scopes; * for all', listArgument, ['*'])
      .addOption(
        new Option('--expires <duration>', 'lifetime: 30d, 12h, or never')
          .argParser(lifeArgument)
          .default(defaultTokenLife, defaultTokenLife.text),
      )
      .option('--spaces <ids>', 'limit the token to these Spaces', idListArgument(spaceIds))
      .option('--ips <networks>', 'limit the token to these networks, such as 10.0.0.0/8', listArgument),
    async (options: TokenOptions) => (await import('./recovery-actions.ts')).createToken(options),
  )
  operating(
    add('list', 'list all access tokens, without their secrets'),
    async (api) => ({ tokens: await allOf(api.installation.tokens) }),
    {
      columns: 'id name environment status expireTime lastUseTime userId',
      empty:
        'No access tokens yet. Create one: pesewa tokens create --user <id> --environment test --name website',
    },
  )
  operating(ofToken(add('show', 'show an access token, without its secret')), (api, id: string) =>
    api.installation.tokens.retrieve(id),
  )
  operating(
    ofToken(
      add('revoke', 'revoke an access token on every node within a second; this cannot be undone').alias(
        'remove',
      ),
    ),
    (api, id: string) => api.installation.tokens.revoke(id, { reason: 'pesewa tokens revoke' }),
    { confirm: () => 'Revoke this token? Requests that use it will be refused from now on.' },
  )
}

const listArgument = (text: string) => text.split(',').map((entry) => entry.trim())
const idListArgument = (kind: IdKind) => (text: string) => listArgument(text).map(idArgument(kind))

const maxTokenLifeMs = durationMs('3650d') // maximum lifetime of a token that expires

function lifeArgument(text: string): TokenLife {
  const ms = text === 'never' ? null : parseDuration(text)
  if (ms !== null && (!ms || ms > maxTokenLifeMs))
    throw new InvalidArgumentError('must be a duration such as 90d, at most 3650d, or never.')
  return { text, ms }
}

const defaultTokenLife = lifeArgument('90d')
