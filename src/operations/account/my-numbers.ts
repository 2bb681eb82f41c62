// The assumption sets of a signed-in visitor, and the one that the visitor's pages are computed with. Pages pass its values on with a
// request, so that no answer for others and no cache meets them.
import { pick } from '../../common/typed.ts'
import { readStoredNumbers } from '../../criteria/own-assumptions.ts'
import { type OwnedSet, setsOfKeys, useSet } from '../../store/keys/assumption-sets.ts'
import type { Services } from '../context.ts'
import type { SignedIn } from './signed-in.ts'

export type { OwnedSet }

export type MySet = NonNullable<MyNumbers['used']>

export type MyNumbers = Awaited<ReturnType<typeof myNumbers>>

const keyIds = ({ keys }: SignedIn) => keys.map(({ id }) => id)

export const myNumbers = async ({ db }: Pick<Services, 'db'>, user: SignedIn) => {
  const sets = await setsOfKeys(db, keyIds(user))
  const used = sets.find(({ inUse }) => inUse)
  return {
    sets,
    /** The set that pages use. */
    used: used && { ...pick(used, 'id', 'name', 'market'), values: readStoredNumbers(used.values, used.byCity) },
  }
}

/** Null: the numbers of the market. False if the visitor has no such set. */
export const chooseSet = ({ db }: Pick<Services, 'db'>, user: SignedIn, id: string | null): Promise<boolean> =>
  useSet(db, keyIds(user), id)
