// The step that makes one number of full and half baths.
import type { Column } from './columns.ts'
import type { Step } from './draft.ts'
import { readAmounts } from './read-amounts.ts'

/**
 * Whole-number "baths" beside half baths are the full ones, unless full baths have their own column; then "baths" is the total and is
 * not used.
 */
export const sumBaths: Step = (draft) => {
  const [half, full] = [draft.unusedNamed(halfNames, isCount), draft.unusedNamed(fullNames, isCount)]
  const sumWith = (name: string) => (half ? { sum: [name, { field: half.name, multiply: 0.5 }] } : name)
  const baths = draft.find('baths')
  if (baths) {
    const areWhole = draft.columnFor('baths')?.values.every((value) => Number.isInteger(Number(value)))
    if (half && areWhole) baths.rule = sumWith(full?.name ?? String(baths.rule))
  } else if (full) draft.add('baths', half ? [full, half] : [full], sumWith(full.name))
}

const counted = '(num|number|nbr|no|total|tot)?(of)?'
const halfNames = `${counted}h(alf|lf|f)?(bath|bth)(rm|room)?s?|bath(room)?s?(half(count)?|12)|(fix|num)?halfb?|hlfb`
const fullNames = `${counted}f(ull|ix)?(bath|bth)(rm|room)?s?|bath(room)?s?full(count)?|fullb`
const isCount = ({ name, values }: Column) => 'rule' in readAmounts('half', name, values)
