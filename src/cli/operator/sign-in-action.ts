import { Refusal } from '../../platform/refusals.ts'
import { createLink, printedLinkMs } from '../../sign-in/links.ts'
import { findUserByEmail } from '../../spaces/spaces.ts'
import { inTransaction } from './command-database.ts'
import { openRecordingParts } from './recording-parts.ts'

export const createSignInLink = ({ email }: { email: string }) =>
  inTransaction(async (tx) => {
    const user = await findUserByEmail(tx, email)
    if (!user) throw new Refusal('not_found', { message: 'There is no user with this email.' })
    return { link: await createLink(tx, openRecordingParts(), user.id, printedLinkMs) }
  })
