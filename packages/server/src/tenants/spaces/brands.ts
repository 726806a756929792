import { orNull, text, uuid } from '../../platform/db/columns.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { type RowOf, table } from '../../platform/db/table.ts'
import { idKind, newId, showId } from '../../platform/ids.ts'
import type { Scope } from '../../platform/scope.ts'
import { spaceIds } from './resources.ts'
import { lockSettings } from './store.ts'

/** The branding that a Space shows to payers. Fields that are `null` are not set. */
const brands = table('brands', [], {
  /** Shown instead of the Space's name. */
  name: orNull(text),
  /** In the form `#rrggbb`. */
  color: orNull(text),
  supportEmail: orNull(text),
  /** In E.164 format. */
  supportPhone: orNull(text),
  termsUrl: orNull(text),
  /** Postal address, for receipts and statements. */
  address: orNull(text),
  taxNumber: orNull(text),
  logoId: orNull(uuid),
})
export type Brand = RowOf<typeof brands>
export type BrandChange = Partial<Omit<Brand, 'logoId'>> & { logo?: Buffer | null }

export const emptyBrand: Brand = {
  name: null,
  color: null,
  supportEmail: null,
  supportPhone: null,
  termsUrl: null,
  address: null,
  taxNumber: null,
  logoId: null,
}

/** Returns the lines that identify a merchant on receipts and statements, below the name. */
export const identityOf = ({ address, taxNumber }: Brand, label: (taxNumber: string) => string): string[] => [
  ...(address === null ? [] : [address]),
  ...(taxNumber === null ? [] : [label(taxNumber)]),
]

/** Selects the brand of a key's Space and environment, which have at most one. */
export const selectRequestedBrand = brands.requested

export const findBrand = async (db: Reader, { spaceId, environment }: Scope): Promise<Brand> =>
  (await db.one<Brand>(sql`
    select ${brands.columns} from brands where space_id = ${spaceId} and environment = ${environment}`)) ??
  emptyBrand

const upsert = brands.upsert(
  'name',
  'color',
  'supportEmail',
  'supportPhone',
  'termsUrl',
  'address',
  'taxNumber',
  'logoId',
)

/** Changes the given fields. `logo` is a PNG that replaces the current logo. */
export async function setBrand(
  tx: Tx,
  scope: Scope,
  { logo, ...change }: BrandChange,
  at: Date,
): Promise<void> {
  // The settings are locked, so that concurrent changes do not overwrite each other's fields.
  await lockSettings(tx, scope.spaceId)
  const before = await findBrand(tx, scope)
  const logoId = logo === undefined ? before.logoId : logo && newId(at)
  if (logo !== undefined) await deleteLogos(tx, scope)
  if (logo && logoId) await insertLogo(tx, scope, logoId, logo)
  await tx.run(upsert([{ ...before, ...change, logoId, scope }]))
}

const insertLogo = (tx: Tx, { spaceId, environment }: Scope, id: string, image: Buffer) =>
  tx.run(sql`
    insert into logos (space_id, environment, id, image) values (${spaceId}, ${environment}, ${id}, ${image})`)

const deleteLogos = (tx: Tx, { spaceId, environment }: Scope) =>
  tx.run(sql`delete from logos where space_id = ${spaceId} and environment = ${environment}`)

export const findLogo = (db: Reader, { spaceId, environment }: Scope, id: string) =>
  db.one<{ image: Buffer }>(sql`
    select image from logos where space_id = ${spaceId} and environment = ${environment} and id = ${id}`)

export const logoIds = idKind('lgo')

/** Returns the path at which a logo is publicly available. */
export const logoPath = ({ spaceId, environment }: Scope, logoId: string) =>
  `/logos/${showId(spaceIds, spaceId)}/${environment}/${showId(logoIds, logoId)}.png`
