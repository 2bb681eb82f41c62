// Lists for people that show the highest return first leave out new houses that may be refused: the return is there only if they are approved.
import { approvals } from '../domain/findings/laws.ts'

/** Approvals that are granted where the rules are met. */
export const firmApprovals = approvals.filter((each) => each !== 'discretionary' && each !== 'unknown')

const returns = ['-returnPct', '-returnAtExpectedPct', '-developerROI', '-proformaROI']

/** The criterion to add; empty where another order was asked for, or the caller has decided. */
export const withFirmApprovals = (input: {
  sort?: readonly string[] | undefined
  sureNewHouse?: unknown
}): { sureNewHouse?: true } =>
  input.sureNewHouse === undefined && returns.includes(input.sort?.[0] ?? '') ? { sureNewHouse: true } : {}

export const firmApprovalsNote = 'Homes whose replacement needs an approval that may be refused are left out.'
