// lead.created: a parcel reaches, for the first time, the score or result that makes it worth a visit.

import { lawById, lawReference } from '../laws/list.ts'
import type { Assessment, StoredScores } from '../store/assessments/assessments.ts'
import type { EventData } from '../wire/events.ts'

type LeadName = EventData<'lead.created'>['kind']
type CreatedLead = Pick<EventData<'lead.created'>, 'kind' | 'score' | 'sb9Status' | 'class' | 'law'> & {
  blocked: boolean
}

const leastScore = 60

type Scored = Pick<StoredScores, 'aduScore' | 'redevelopmentScore' | 'sb9Status'>

/** The kinds of leads that stored scores reach. */
export const reachedLeads = ({ aduScore, redevelopmentScore, sb9Status }: Scored): LeadName[] => [
  ...((aduScore ?? 0) >= leastScore ? (['adu'] as const) : []),
  ...((redevelopmentScore ?? 0) >= leastScore ? (['redevelopment'] as const) : []),
  ...(isLotSplit(sb9Status) ? (['sb9'] as const) : []),
]

/** The leads that an assessment reaches, as an event describes them. */
export const leadsOf = ({
  leads = [],
  redevelopmentScore,
  redevelopmentClass,
  redevelopmentBlocked,
}: Pick<Assessment, 'leads' | 'redevelopmentScore' | 'redevelopmentClass' | 'redevelopmentBlocked'>): CreatedLead[] => {
  const created: CreatedLead[] = []
  for (const { best, kind, law: id, score, status, blocked } of leads) {
    if (!best) continue
    const law = lawById(id)
    const named = { blocked, ...(law ? { law: lawReference(law) } : {}) }
    if (kind === 'accessory_unit' && (score ?? 0) >= leastScore)
      created.push({ kind: 'adu', score: Math.round(score!), ...named })
    if (kind === 'lot_split' && isLotSplit(status)) created.push({ kind: 'sb9', sb9Status: status!, ...named })
  }
  if ((redevelopmentScore ?? 0) >= leastScore)
    created.push({
      kind: 'redevelopment',
      score: Math.round(redevelopmentScore!),
      ...(redevelopmentClass === undefined ? {} : { class: redevelopmentClass }),
      blocked: redevelopmentBlocked ?? false,
    })
  return created
}

const isLotSplit = (status: string | null | undefined): boolean => status === 'eligible' || status === 'likely'
