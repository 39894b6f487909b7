import { type ReactNode, useEffect, useState } from 'react';
import { serverNow } from '../api/server-clock.ts';
import { formatHere, formatNewYork } from '../format/time.ts';

/** A countdown to the next attempt. */
export function NextAttempt({ at }: { at: string }): ReactNode {
  const seconds = useSecondsUntil(at);
  return (
    <>
      {seconds <= 0 ? 'as soon as possible' : `in ${formatCountdown(seconds)}`}
      <br />
      <small>
        {formatHere(at)} · {formatNewYork(at)}
      </small>
    </>
  );
}

function useSecondsUntil(at: string): number {
  const [now, setNow] = useState(() => serverNow());
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return Math.ceil((Date.parse(at) - now) / 1_000);
}

/** `1 h 04 min`, `4 min 09 s`, `9 s` */
function formatCountdown(seconds: number): string {
  const pad = (value: number): string => String(value).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  if (minutes >= 60) return `${Math.floor(minutes / 60)} h ${pad(minutes % 60)} min`;
  return minutes > 0 ? `${minutes} min ${pad(seconds % 60)} s` : `${seconds} s`;
}
