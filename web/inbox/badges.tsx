import { Badge } from '@mantine/core';
import { MANAGEMENT_STATUS_LABELS, type ManagementStatus } from '#contract/management-status.ts';
import type { Ping } from '#contract/pings.ts';
import {
  IconAlertTriangle,
  IconAmbulance,
  IconArrowsExchange,
  IconBed,
  IconBuildingCommunity,
  IconCalendarClock,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleHalf2,
  IconCircleX,
  IconClock,
  IconCoin,
  IconDoorEnter,
  IconEye,
  IconGrave2,
  IconHeartbeat,
  IconHomeHeart,
  IconInfoCircle,
  IconLogout2,
  IconRotateClockwise2,
  IconStethoscope,
  IconTrendingUp,
} from '../ui/icons.ts';

const STATUSES = {
  NEW: ['gray', IconCircleDashed],
  IN_PROGRESS: ['marine', IconCircleHalf2],
  RESOLVED: ['positive', IconCircleCheck],
  DISMISSED: ['slate', IconCircleX],
} as const satisfies Record<ManagementStatus, [string, typeof IconBed]>;

/** A management status: shape, word and colour. */
export const StatusBadge = ({ status }: { status: ManagementStatus }) => {
  const [color, Icon] = STATUSES[status];
  return (
    <Badge component="span" color={color} leftSection={<Icon size={14} stroke={1.75} aria-hidden />}>
      {MANAGEMENT_STATUS_LABELS[status]}
    </Badge>
  );
};

const REASONS = {
  READMISSION: IconAlertTriangle,
  FREQUENT_ED: IconTrendingUp,
  FOLLOW_UP_DUE: IconCalendarClock,
  FOLLOW_UP_OVERDUE: IconAlertTriangle,
  DECEASED: IconGrave2,
  RETRACTED: IconRotateClockwise2,
  RESIDENT_IN_HOSPITAL: IconBuildingCommunity,
} as const satisfies Record<NonNullable<Ping['reason']>['code'], typeof IconBed>;
const SEVERITIES = { critical: 'critical', caution: 'caution', neutral: 'gray' } as const;

/** Somebody else is called nearly so. */
export const SimilarBadge = () => (
  <Badge
    component="span"
    color="caution"
    // It stands within a line of text.
    style={{ verticalAlign: 'middle' }}
    title="Another patient has a similar name. Check the identifiers before you act."
    leftSection={<IconAlertTriangle size={14} stroke={1.75} aria-hidden />}
  >
    Similar name
  </Badge>
);

/** Why a ping matters: the strongest reason. */
export const ReasonBadge = ({ reason }: { reason: NonNullable<Ping['reason']> }) => {
  const Icon = REASONS[reason.code] ?? IconInfoCircle;
  return (
    <Badge
      component="span"
      color={SEVERITIES[reason.severity]}
      leftSection={<Icon size={14} stroke={1.75} aria-hidden />}
    >
      {reason.label}
    </Badge>
  );
};

/** That we were told more than 72 hours after it happened. */
export const LateBadge = () => (
  <Badge component="span" color="caution" leftSection={<IconClock size={14} stroke={1.75} aria-hidden />}>
    Late
  </Badge>
);

const iconOf = ({ status, setting }: Ping): typeof IconBed => {
  if (status === 'DECEASED') return IconGrave2;
  if (status === 'DISCHARGE' || status === 'ENDED_SERVICES' || status === 'CLOSED') return IconLogout2;
  if (status === 'TRANSFER') return IconArrowsExchange;
  if (status === 'PAYOR_CHANGE') return IconCoin;
  if (status === 'MEDICAL_LEAVE_OF_ABSENCE') return IconDoorEnter;
  if (setting === 'EMERGENCY' || setting === 'URGENT_CARE') return IconAmbulance;
  if (setting === 'OBSERVATION') return IconEye;
  if (setting === 'HHA') return IconHomeHeart;
  if (setting === 'HOSPICE') return IconHeartbeat;
  if (setting === 'SNF' || setting === 'ASSISTED_LIVING') return IconBuildingCommunity;
  return status === 'VISIT' ? IconStethoscope : IconBed;
};

/** The icon of an event; never coloured. */
export const EventIcon = ({ ping }: { ping: Ping }) => {
  const Icon = iconOf(ping);
  return <Icon size={16} stroke={1.75} aria-hidden />;
};
