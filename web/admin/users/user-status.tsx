import { Badge } from '@mantine/core';
import type { AdminUser } from '#contract/admin.ts';
import { IconLock, IconMail, IconUserCheck, IconUserOff } from '../../ui/icons.ts';

/** Word, colour and shape of each (ux.md, 2.4). */
export const USER_STATUS = {
  ACTIVE: { label: 'Active', color: 'positive', Icon: IconUserCheck },
  INVITED: { label: 'Invited', color: 'marine', Icon: IconMail },
  LOCKED: { label: 'Locked', color: 'caution', Icon: IconLock },
  DISABLED: { label: 'Disabled', color: 'gray', Icon: IconUserOff },
} as const satisfies Record<AdminUser['status'], unknown>;

export const UserStatusBadge = ({ status }: { status: AdminUser['status'] }) => {
  const { label, color, Icon } = USER_STATUS[status];
  return (
    <Badge component="span" color={color} leftSection={<Icon size={14} stroke={1.75} aria-hidden />}>
      {label}
    </Badge>
  );
};
