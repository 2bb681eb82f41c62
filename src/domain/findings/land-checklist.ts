// What to know before buying a lot without a building: what the records say, and what to ask for.
import { type Static, Type } from 'typebox'
import { object, optional, text } from '../../common/shape.ts'
import { type Confidence, type OverlayName, type Overlays, overlayNames } from '../facts.ts'
import { marketById } from '../packs/markets.ts'

export const LandCheck = object('LandCheck', {
  item: text('What to check'),
  known: Type.Boolean({ description: 'Whether the records answer it completely' }),
  applies: optional.flag('True if something that was found limits the lot or raises its cost'),
  text: text('What is known, or what to ask for'),
})
export type LandCheck = Static<typeof LandCheck>

/** These matter only to rules of laws. */
const splitOverlays: readonly OverlayName[] = [
  ...(['farmland', 'tenantLast3y', 'tenantLast5y', 'ellisLast15y', 'priorSb9Split', 'adjacentSb9Split'] as const),
  ...(['transitHalfMile', 'urbanized'] as const),
]

/** Overlays that limit what can be built or raise its cost: those that the market's pack names, otherwise all. */
export const risksIn = (market: string | undefined): readonly { overlay: OverlayName; label: string }[] =>
  marketById(market ?? '')?.risks ??
  overlayNames
    .filter((name) => !splitOverlays.includes(name))
    .map((overlay) => ({ overlay, label: overlay.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`) }))

interface Lot {
  market?: string | undefined
  zoning?: string | undefined
  allowableSqft?: number | undefined
  slopePct?: number | undefined
  /** Low: the limits of the zoning district are unverified. */
  allowableConfidence?: Confidence | undefined
  overlays: Overlays
}

export const landChecklist = ({ zoning, slopePct, overlays, ...lot }: Lot): LandCheck[] => {
  const isUnverified = lot.allowableConfidence === 'low'
  const risks = risksIn(lot.market).filter(({ overlay }) => overlay !== 'septic')
  const labels = (found: typeof risks) => found.map(({ label }) => label).join(', ')
  const present = risks.filter(({ overlay }) => overlays[overlay] === 'yes')
  const open = risks.filter(({ overlay }) => overlays[overlay] !== 'yes' && overlays[overlay] !== 'no')
  const checked = risks.length - open.length
  const size = lot.allowableSqft?.toLocaleString('en-US', { maximumFractionDigits: 0 })
  return [
    zoning === undefined
      ? { item: 'Zoning', known: false, text: 'district not known' }
      : {
          item: 'Zoning',
          known: size !== undefined && !isUnverified,
          text: `${zoning}, ${size === undefined ? 'floor area limit not known' : `${size} sq ft allowed${isUnverified ? ', unverified' : ''}`}`,
        },
    {
      item: 'Water and sewer',
      known: overlays.septic === 'no',
      ...(overlays.septic === 'yes' ? { applies: true } : {}),
      text:
        overlays.septic === 'no'
          ? 'no septic system is needed'
          : `${overlays.septic === 'yes' ? 'septic system' : 'not in the records'}; ask for a soil test and the connections`,
    },
    slopePct === undefined
      ? { item: 'Slope', known: false, text: 'not known; ask for a survey' }
      : { item: 'Slope', known: true, text: `${Math.round(slopePct)}%` },
    {
      item: 'Hazards and restrictions',
      known: open.length === 0,
      ...(present.length > 0 ? { applies: true } : {}),
      text: [
        present.length > 0 ? labels(present) : checked > 0 ? `${checked} checked, none applies` : '',
        open.length > 0 ? `not known: ${labels(open)}` : '',
      ]
        .filter(Boolean)
        .join('; '),
    },
    { item: 'Access', known: false, text: 'not in the records; ask for the deed and a survey' },
  ]
}
