// Mails about rotation, revocation and sign-in. They go to the address of a confirmed key only: anyone can enter any address when
// asking for a key.
import type { Db } from '../../store/engine/database.ts'
import { enqueueMail, type Mail } from '../../store/keys/mails.ts'
import type { Services } from '../context.ts'
import { claimMail } from '../mailbox.ts'

export const notifyConfirmed = async (
  tx: Db,
  services: Pick<Services, 'queue' | 'sealer'>,
  key: { email: string; confirmedAt: Date | null } | undefined,
  mail: (to: string) => Mail,
  now: Date,
): Promise<void> => {
  if (key?.confirmedAt && (await claimMail(tx, 'key-notices', key.email, now)))
    await enqueueMail(tx, services, mail(key.email))
}
