import { createHash } from 'node:crypto'
import { must } from '@pesewa/values'

export type Holder = { givenName: string; familyName: string; isActive: boolean }

const givenNames = [
  ...['Aminata', 'Fatmata', 'Mariama', 'Isatu', 'Adama', 'Hawa', 'Kadiatu', 'Awa', 'Abena', 'Efua', 'Ngozi'],
  ...['Mohamed', 'Ibrahim', 'Alhassan', 'Abu', 'Sorie', 'Kwame', 'Kofi', 'Moussa', 'Chidi', 'Ousmane'],
]
const familyNames = [
  ...['Kamara', 'Sesay', 'Bangura', 'Koroma', 'Conteh', 'Turay', 'Kargbo', 'Jalloh', 'Mansaray', 'Fofanah'],
  ...['Mensah', 'Owusu', 'Boateng', 'Okafor', 'Adeyemi', 'Traoré', 'Koné', 'Diallo', 'Ouédraogo'],
]

/**
 * Returns the holder of an account, who is always the same for the same number. The account of a number that
 * ends with 009 is blocked, and a number that ends with 010 has no account.
 */
export function holderOf(account: string): Holder | undefined {
  if (account.endsWith('010')) return undefined
  const hash = createHash('sha256').update(account).digest()
  return {
    givenName: nameAt(givenNames, hash.readUInt16BE(0)),
    familyName: nameAt(familyNames, hash.readUInt16BE(2)),
    isActive: !account.endsWith('009'),
  }
}

const nameAt = (names: readonly string[], at: number) => must(names[at % names.length], 'name')
