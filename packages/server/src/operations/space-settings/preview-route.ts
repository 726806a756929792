import { fieldsOf, must } from '@pesewa/values'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { enforceViewLimit } from '../../platform/http/admission/address-limit.ts'
import { sessionSecretIn } from '../../platform/http/admission/credentials.ts'
import type { Gate } from '../../platform/http/admission/gate.ts'
import type { RawRoute } from '../../platform/http/commands/route.ts'
import { pathParams } from '../../platform/http/server/request.ts'
import { object, opaqueText, optional } from '../../platform/http/shapes/shapes.ts'
import { Checker } from '../../platform/http/shapes/validation.ts'
import type { Platform } from '../../platform/platform.ts'
import { existing, Issues, Refusal } from '../../platform/refusals.ts'
import { isEnvironment, type Scope } from '../../platform/scope.ts'
import type { Providers } from '../../rails/providers/providers.ts'
import { type Brand, findBrand, logoPath } from '../../tenants/spaces/brands.ts'
import { selectSpace } from '../../tenants/spaces/store.ts'
import { languages } from '../../ways-to-pay/checkout/pages/language.ts'
import { nowhere, previewStates, sendPreview } from '../../ways-to-pay/checkout/preview.ts'
import { isLogo, logoRule, maxLogoText } from './logos.ts'

export type PreviewParts = Platform & Providers & { gate: Gate }

const schemes = ['light', 'dark'] as const
const maxPreviewBytes = 128 * 1024 // limit: size of a form that requests a preview, with its logo

/**
 * The branding that the user has typed. It is shown as it is, without the rules that apply to saved branding,
 * because it may be half typed and nobody else sees it.
 */
const previewed = object({
  name: opaqueText(0, 100),
  color: opaqueText(0, 7),
  supportEmail: opaqueText(0, 254),
  supportPhone: opaqueText(0, 32),
  termsUrl: opaqueText(0, 255),
  /** Empty for none. If it is absent, the saved logo is shown. */
  logo: optional(
    Type.Refine(
      opaqueText(0, maxLogoText, { pattern: '^$|^data:image/png;base64,[A-Za-z0-9+/]+={0,2}$' }),
      (value) => value === '' || isLogo(value),
      () => logoRule,
    ),
  ),
  order: opaqueText(1, 100),
  state: Type.Enum([...previewStates]),
  scheme: Type.Enum([...schemes]),
  language: Type.Enum([...languages]),
})

/**
 * Returns the route that shows the payment page with branding that has not been saved. The console posts a form to
 * it from a frame, because a page in a frame with its own URL keeps its own content security policy.
 */
export function previewRoutes(parts: PreviewParts): RawRoute[] {
  const { db, clock } = parts
  const checker = new Checker(previewed)
  return [
    {
      kind: 'raw',
      method: 'POST',
      url: '/previews/:space/:environment',
      summary: 'Payment page with unsaved branding, for the console',
      maxBodyBytes: maxPreviewBytes,
      admit: (request) => enforceViewLimit(parts, request),
      async handle(request, reply) {
        const scope = await enterPreviewed(parts, request)
        const issues = new Issues()
        const form = fieldsOf(checker.checkBody(request.body ?? {}, issues, 'POST'))
        issues.refuse()
        const [space, saved] = await db.within(scope.spaceId, () =>
          Promise.all([selectSpace(db, scope.spaceId), findBrand(db, scope)]),
        )
        return sendPreview(parts, reply, {
          ...readPreview(form, saved, saved.logoId && logoPath(scope, saved.logoId)),
          scope,
          space: existing(space),
          now: clock.now(scope),
        })
      },
    },
    {
      kind: 'raw',
      method: 'GET',
      url: nowhere,
      summary: 'Links in a preview, which lead nowhere',
      handle: (_request, reply) => reply.code(204).send(),
    },
  ]
}

/**
 * Returns the Space and environment in the path, if the user who is signed in may read their settings.
 *
 * The `Origin` of a form is `null`, because the console sends no referrer. The cookie is not sent from other sites,
 * and newer browsers also tell whether the form is on one of our own pages.
 */
async function enterPreviewed({ gate, baseUrl }: PreviewParts, request: FastifyRequest): Promise<Scope> {
  const { space = '', environment } = pathParams(request)
  const { 'sec-fetch-site': site = 'same-origin' } = request.headers
  const sessionSecret = sessionSecretIn(request, baseUrl)
  if (!isEnvironment(environment)) throw new Refusal('not_found')
  if (site !== 'same-origin') throw new Refusal('access_denied')
  const credentials = sessionSecret ? { sessionSecret, environment } : { authorization: undefined }
  const access = await gate.enter(await gate.authenticate(credentials, request.ip), space, request.ip)
  if (!access.may('settings:read')) throw new Refusal('access_denied')
  return access.scope
}

/** Reads a validated form. */
function readPreview(form: Record<string, unknown>, saved: Brand, savedLogo: string | null) {
  const text = (name: string) => String(form[name] ?? '').trim()
  const chosen = <Value extends string>(name: string, values: readonly Value[]) =>
    must(
      values.find((value) => value === form[name]),
      `${name} of a preview`,
    )
  return {
    brand: {
      ...saved,
      name: text('name') || null,
      color: text('color') || null,
      supportEmail: text('supportEmail') || null,
      supportPhone: text('supportPhone') || null,
      termsUrl: text('termsUrl') || null,
    },
    logo: form.logo === undefined ? (savedLogo ?? undefined) : text('logo'),
    order: text('order'),
    state: chosen('state', previewStates),
    scheme: chosen('scheme', schemes),
    language: chosen('language', languages),
  }
}
