// Lists for people that show the highest return first leave out uses that may be refused: the return is there only if they are approved.
import { approvals } from '../domain/findings/laws.ts'

/** Approvals that are granted where the rules are met. */
export const firmApprovals = approvals.filter((each) => each !== 'discretionary' && each !== 'unknown')

const returns = ['-returnPct', '-returnAtExpectedPct', '-developerROI', '-proformaROI']

/** The criterion to add; empty where another order or approvals were asked for. */
export const withFirmApprovals = (input: {
  sort?: readonly string[] | undefined
  approval?: unknown
}): { approval?: typeof firmApprovals } =>
  input.approval === undefined && returns.includes(input.sort?.[0] ?? '') ? { approval: firmApprovals } : {}

export const firmApprovalsNote = 'Homes whose use needs an approval that may be refused are left out.'
