import { orNull, text, uuid } from '../platform/db/columns.ts'
import type { Database, Reader, Tx } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'
import { type RowOf, table } from '../platform/db/table.ts'
import { idKind, newId, showId } from '../platform/ids.ts'
import type { Scope } from '../platform/scope.ts'
import { shareReads } from '../platform/shared-reads.ts'
import { spaceIds } from './resources.ts'
import { lockSpace } from './store.ts'

/** The branding a Space shows to payers; `null` fields are not set. */
const brands = table('brands', [], {
  /** Shown instead of the Space's name. */
  name: orNull(text),
  /** `#rrggbb` */
  color: orNull(text),
  supportEmail: orNull(text),
  /** E.164 */
  supportPhone: orNull(text),
  termsUrl: orNull(text),
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
  logoId: null,
}

/**
 * Returns a batched reader of brands. The id passed to it does not matter: each Space has one brand per
 * environment.
 */
export const shareBrands = (db: Database) => shareReads<Brand>(db, brands.requested)

export const findBrand = async (db: Reader, { spaceId, environment }: Scope): Promise<Brand> =>
  (await db.one<Brand>(sql`
    select ${brands.columns} from brands where space_id = ${spaceId} and environment = ${environment}`)) ??
  emptyBrand

const upsert = brands.upsert('name', 'color', 'supportEmail', 'supportPhone', 'termsUrl', 'logoId')

/** Changes the given fields. `logo`: a PNG that replaces the current one. */
export async function setBrand(
  tx: Tx,
  scope: Scope,
  { logo, ...change }: BrandChange,
  at: Date,
): Promise<void> {
  // Serializes concurrent changes, so that none overwrites the fields of another.
  await lockSpace(tx, scope.spaceId)
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

/** Returns the public path of a logo. */
export const logoPath = ({ spaceId, environment }: Scope, logoId: string) =>
  `/logos/${showId(spaceIds, spaceId)}/${environment}/${showId(logoIds, logoId)}.png`
