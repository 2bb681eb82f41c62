// Mails about rotation, revocation and sign-in. They go to the address of a confirmed key only: anyone can enter any address when
// asking for a key.
import type { Db } from '../../store/engine/database.ts'
import { enqueueMail, type Mail } from '../../store/keys/mails.ts'
import type { Services } from '../context.ts'
import { claimNotice } from '../mailbox.ts'

/** `always`: a mail that a thief could otherwise prevent by using up the day's notices. */
export const notifyConfirmed = async (
  tx: Db,
  services: Pick<Services, 'queue' | 'sealer'>,
  key: { email: string; confirmedAt: Date | null } | undefined,
  mail: (to: string) => Mail,
  now: Date,
  { always = false } = {},
): Promise<void> => {
  if (key?.confirmedAt && (always || (await claimNotice(tx, key.email, now))))
    await enqueueMail(tx, services, mail(key.email))
}
