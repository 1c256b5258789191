import type { Ping } from '#contract/pings.ts';
import {
  IconAmbulance,
  IconArrowsExchange,
  IconBed,
  IconBuildingCommunity,
  IconCoin,
  IconDoorEnter,
  IconEye,
  IconGrave2,
  IconHeartbeat,
  IconHomeHeart,
  IconLogout2,
  IconStethoscope,
} from '../ui/icons.ts';

type Happening = Pick<Ping, 'status' | 'setting'>;

const iconOf = ({ status, setting }: Happening): typeof IconBed => {
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

/** The icon of an event. Never colored: color belongs to status and severity. */
export const EventIcon = ({ ping }: { ping: Happening }) => {
  const Icon = iconOf(ping);
  return <Icon size={16} stroke={1.75} aria-hidden />;
};
