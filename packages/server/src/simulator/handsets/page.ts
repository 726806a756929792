import { readFileSync } from 'node:fs'
import { loadAsset, loadSheet } from '@pesewa/pages'
import { findCountry, must } from '@pesewa/values'
import type { RawRoute } from '../../platform/http/commands/route.ts'
import { assetRoute } from '../../platform/pages/asset-route.ts'
import type { Catalogue } from '../../rails/connections/catalogue.ts'
import { sendSimulatorPage } from '../page-reply.ts'
import { maxHandsets } from './shapes.ts'

const template = readFileSync(new URL('page.eta', import.meta.url), 'utf8')
const styles = loadSheet(import.meta.url, 'handsets.css')
const js = loadAsset(import.meta.url, 'handsets.js')

/** The phone that is shown on the first visit. */
const firstPhone = { providerId: 'm17', number: '+23276123456' }

/**
 * Serves the page `GET /simulator`, on which payments can be tried out with simulated phones. The browser
 * remembers which phones are on the page.
 */
export const handsetPageRoutes = ({ catalogue }: { catalogue: Catalogue }): RawRoute[] => [
  {
    kind: 'raw',
    method: 'GET',
    url: '/simulator',
    summary: 'Simulated phones',
    handle: (_request, reply) =>
      sendSimulatorPage(
        reply,
        template,
        {
          networks: networksOf(catalogue),
          firstPhone,
          endings,
          maxHandsets,
          styles,
          js: js.path,
        },
        (nonce) => [
          `script-src 'nonce-${nonce}'`,
          `style-src 'nonce-${nonce}'`,
          'img-src data:',
          "connect-src 'self'",
          "form-action 'none'",
          "require-trusted-types-for 'script'",
        ],
      ),
  },
  assetRoute(js, 'Script of the simulated handsets'),
]

/** Outcomes of `planFor` by the last three digits of a phone number, as described on the page. */
const endings = [
  ['001', 'Fails: insufficient funds'],
  ['002', 'Fails: declined'],
  ['003', 'Fails after 60 s: no answer'],
  ['004', 'Paid, reported after 30 s'],
  ['005', 'Paid, reported three times'],
  ['006', 'Paid, but never reported; found by a query'],
  ['007', 'Paid, but the response to the request is lost'],
  ['008', 'Fails: the network rejects the request and no money moves'],
  ['009', 'Fails: account blocked'],
  ['010', 'Fails: no such account'],
  ['011', 'Fails: limit exceeded'],
  ['012', 'Reported as failed, paid later'],
] as const

/** Returns the networks ordered by country, starting with the country of the first phone. */
function networksOf(catalogue: Catalogue) {
  const home = catalogue.find(firstPhone.providerId)?.country
  const networks = catalogue.list('momo').map(({ providerId, name, country }) => ({
    providerId,
    name,
    country: must(findCountry(country), 'country of a network').name,
    isHome: country === home,
  }))
  return networks.toSorted(
    (a, b) => Number(b.isHome) - Number(a.isHome) || a.country.localeCompare(b.country),
  )
}
