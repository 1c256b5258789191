import { MANAGEMENT_STATUS_LABELS, type ManagementStatus } from '#contract/management-status.ts';
import type { Ping } from '#contract/pings.ts';
import {
  IconAlertTriangle,
  IconBuildingCommunity,
  IconCalendarClock,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleHalf2,
  IconCircleX,
  IconClock,
  IconGrave2,
  IconInfoCircle,
  IconLogout2,
  IconRotateClockwise2,
  IconTrendingUp,
} from '../ui/icons.ts';
import { Badge } from '../ui/plain/text.tsx';

const STATUSES = {
  NEW: ['gray', IconCircleDashed],
  IN_PROGRESS: ['marine', IconCircleHalf2],
  RESOLVED: ['positive', IconCircleCheck],
  DISMISSED: ['slate', IconCircleX],
} as const satisfies Record<ManagementStatus, [string, typeof IconClock]>;

/** A management status. Shape and word carry it; color only supports them. */
export const StatusBadge = ({ status }: { status: ManagementStatus }) => {
  const [color, Icon] = STATUSES[status];
  return (
    <Badge color={color} icon={<Icon size={14} stroke={1.75} aria-hidden />}>
      {MANAGEMENT_STATUS_LABELS[status]}
    </Badge>
  );
};

const REASONS = {
  READMISSION: IconAlertTriangle,
  RECENT_DISCHARGE: IconLogout2,
  FREQUENT_ED: IconTrendingUp,
  FOLLOW_UP_DUE: IconCalendarClock,
  FOLLOW_UP_OVERDUE: IconAlertTriangle,
  DESTINATION_UNCLEAR: IconAlertTriangle,
  DISCHARGE_UNCLEAR: IconAlertTriangle,
  DECEASED: IconGrave2,
  AFTER_DEATH: IconAlertTriangle,
  RETRACTED: IconRotateClockwise2,
  UNMATCHED: IconRotateClockwise2,
  RESIDENT_IN_HOSPITAL: IconBuildingCommunity,
} as const satisfies Record<NonNullable<Ping['reason']>['code'], typeof IconClock>;
const SEVERITIES = { critical: 'critical', caution: 'caution', neutral: 'gray' } as const;

/** The strongest reason why a ping matters. */
export const ReasonBadge = ({ reason }: { reason: NonNullable<Ping['reason']> }) => {
  const Icon = REASONS[reason.code] ?? IconInfoCircle;
  return (
    <Badge color={SEVERITIES[reason.severity]} wrapped icon={<Icon size={14} stroke={1.75} aria-hidden />}>
      {reason.label}
    </Badge>
  );
};

/** Marks an event that was reported more than 72 hours after it happened. */
export const LateBadge = () => (
  <Badge color="caution" icon={<IconClock size={14} stroke={1.75} aria-hidden />}>
    Late
  </Badge>
);
