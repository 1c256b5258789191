import { Text } from '@mantine/core';
import { PERMISSION_WORDS } from '#contract/permission-words.ts';
import type { Permission } from '#contract/permissions.ts';

const Line = ({ label, permissions }: { label: string; permissions: readonly Permission[] }) =>
  permissions.length === 0 ? null : (
    <Text component="p" m="4px 0">
      <b>{label}:</b> {permissions.map((flag) => PERMISSION_WORDS[flag].action).join('; ')}.
    </Text>
  );

/** The permissions that a change adds and removes, in plain words. */
export const PermissionChange = ({
  adds,
  removes,
}: {
  adds: readonly Permission[];
  removes: readonly Permission[];
}) => (
  <>
    <Line label="Adds" permissions={adds} />
    <Line label="Removes" permissions={removes} />
  </>
);
