import { type ReactNode, useEffect, useState } from 'react';
import { ApiError, reasonOf } from '../api/error.ts';
import { IconAlertTriangle, IconEye } from './icons.ts';
import { Notice } from './notice.tsx';
import { Button } from './plain/button.tsx';
import { Skeleton, Text } from './plain/text.tsx';
import classes from './states.module.css';

/** An empty state: why there is nothing to show, and at most one action. */
export const Empty = ({
  icon,
  title,
  children,
  action,
}: {
  icon?: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) => (
  <div className={classes.empty}>
    {icon && <span className={classes.icon}>{icon}</span>}
    <Text fw={550}>{title}</Text>
    {children && (
      <Text c="dimmed" size="sm">
        {children}
      </Text>
    )}
    {action}
  </div>
);

/** For content that the user may not see, which must not look empty. */
export const NoPermission = ({ what, children }: { what: string; children?: ReactNode }) => (
  <Empty icon={<IconEye size={24} stroke={1.75} aria-hidden />} title={`You don't have access to ${what}.`}>
    {children} An administrator in your organization can give you access.
  </Empty>
);

/** An error: what failed and why, what is still safe, a way to retry, and the id that support asks for. */
export const Failed = ({
  what,
  error,
  safe,
  retry,
}: {
  what: string;
  error: unknown;
  safe?: string;
  retry?: () => void;
}) => (
  <Notice role="alert" color="caution" icon={<IconAlertTriangle size={18} aria-hidden />} title={what} inset>
    <Text size="sm">
      {reasonOf(error)} {safe}
    </Text>
    {error instanceof ApiError && error.requestId && (
      <Text size="xs" className="tabular">
        Error ID {error.requestId}
      </Text>
    )}
    {retry && (
      <Button mt="sm" size="xs" variant="default" onClick={retry}>
        Retry
      </Button>
    )}
  </Notice>
);

/** Returns true once `ms` milliseconds have passed, so that a fast answer flashes no loading state. */
const useAfter = (ms: number): boolean => {
  const [past, setPast] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setPast(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return past;
};

/** Placeholder rows, shown after 200 ms; after 8 seconds, with the offer to retry. */
export const RowsLoading = ({ rows, height, retry }: { rows: number; height: number; retry?: () => void }) => {
  const shown = useAfter(200);
  const long = useAfter(8000);
  return (
    <div aria-busy="true" role="group" aria-label="Loading">
      {long && retry && (
        <Notice role="status" color="gray" inset>
          Still loading.{' '}
          <Button size="compact-xs" variant="default" onClick={retry}>
            Retry
          </Button>
        </Notice>
      )}
      {shown &&
        Array.from({ length: rows }, (_, row) => (
          <div key={row} className={classes.row} style={{ height }}>
            <Skeleton h={12} w="46%" />
            <Skeleton h={12} w="68%" mt={10} />
          </div>
        ))}
    </div>
  );
};
