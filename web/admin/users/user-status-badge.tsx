import type { UserStatus } from '#contract/user-statuses.ts';
import { IconClock, IconLock, IconMail, IconUserCheck, IconUserOff } from '../../ui/icons.ts';
import { StatusBadge, type StatusLook } from '../../ui/status-badge.tsx';

export const USER_STATUS_LOOKS = {
  ACTIVE: { label: 'Active', color: 'positive', Icon: IconUserCheck },
  INVITED: { label: 'Invited', color: 'marine', Icon: IconMail },
  CREATED: { label: 'Not signed in yet', color: 'marine', Icon: IconClock },
  LOCKED: { label: 'Locked', color: 'caution', Icon: IconLock },
  DISABLED: { label: 'Disabled', color: 'gray', Icon: IconUserOff },
} as const satisfies Record<UserStatus, StatusLook>;

export const UserStatusBadge = ({ status }: { status: UserStatus }) => {
  const { label, color, Icon } = USER_STATUS_LOOKS[status];
  return (
    <StatusBadge color={color} Icon={Icon}>
      {label}
    </StatusBadge>
  );
};
