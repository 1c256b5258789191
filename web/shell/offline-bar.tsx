import { useEffect, useState } from 'react';
import { useLiveStatus } from '../api/use-live.ts';
import { formatTime } from '../ui/format/date.ts';
import { IconWifiOff } from '../ui/icons.ts';
import classes from './offline-bar.module.css';

const now = (): string => new Date().toISOString();

/** Says since when the browser is offline, and how old the data is. */
export const OfflineBar = () => {
  const [since, setSince] = useState(() => (navigator.onLine ? null : now()));
  const { since: contact } = useLiveStatus();
  useEffect(() => {
    const offline = (): void => setSince(now());
    const online = (): void => setSince(null);
    window.addEventListener('offline', offline);
    window.addEventListener('online', online);
    return () => {
      window.removeEventListener('offline', offline);
      window.removeEventListener('online', online);
    };
  }, []);
  if (!since) return null;
  return (
    <div className={classes.offline} role="status">
      <IconWifiOff size={16} stroke={1.75} aria-hidden />
      <span>
        Offline since {formatTime(since)}.
        {contact !== null && ` Showing data from ${formatTime(new Date(contact).toISOString())}.`} Changes can't be
        saved.
      </span>
    </div>
  );
};
