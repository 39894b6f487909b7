import {
  type Bounds,
  type Bug,
  copy,
  type Delivery,
  type Endpoint,
  type State,
  type Step,
  type Task,
} from './protocol-state.ts';

/**
 * The delivery protocol of docs/delivery-protocol.md as a state machine, for one company. `explore`
 * visits every state that any order of its steps can reach.
 */

/** Returns every step that is possible in a state. */
export function stepsFrom(state: State, bounds: Bounds): Step[] {
  const steps: Step[] = [];
  if (state.version < bounds.changes) {
    const changed = { ...state, version: state.version + 1 };
    steps.push({ name: 'change', endpoint: -1, worker: -1, state: changed });
  }
  state.endpoints.forEach((_, index) => {
    const add = (
      name: string,
      worker: number,
      edit: (draft: State, own: Endpoint) => string | void,
    ) => {
      const draft = { ...state, endpoints: state.endpoints.map(copy) };
      const own = draft.endpoints[index];
      if (own === undefined) return;
      const violation = edit(draft, own) ?? undefined;
      steps.push({ name, endpoint: index, worker, state: draft, ...(violation && { violation }) });
    };
    addStoreSteps(state, index, bounds, add);
    for (let worker = 0; worker < bounds.workers; worker += 1) {
      addWorkerSteps(state, { index, worker }, bounds, add);
    }
  });
  return steps;
}

type Add = (
  name: string,
  worker: number,
  edit: (draft: State, own: Endpoint) => string | void,
) => void;

const inFlight = ({ waiting, leaving }: Endpoint): Delivery | null =>
  leaving ?? (waiting?.claim ? waiting : null);

const isLocked = ({ tasks }: Endpoint): boolean => tasks.some((task) => task?.phase === 'reading');

function open(own: Endpoint): Delivery {
  own.nextId += 1;
  return { id: own.nextId, sent: null, claim: null, attempts: 0 };
}

/** Transactions of any process: fan-out, and the end of claims whose lease has expired. */
function addStoreSteps(state: State, index: number, bounds: Bounds, add: Add): void {
  const endpoint = state.endpoints[index];
  if (endpoint === undefined || (isLocked(endpoint) && bounds.bug !== 'endpoint-lock-off')) return;
  const flight = inFlight(endpoint);
  if (endpoint.fannedOut < state.version) {
    add('fan-out', -1, (draft, own) => {
      own.fannedOut = draft.version;
      const { waiting } = own;
      const isCurrent = own.acknowledged === draft.version && !own.maybeSeen;
      if (isCurrent && flight === null && waiting === null) return;
      if (waiting?.claim && bounds.bug !== 'supersede-off') {
        // The delivery is in flight, so its successor waits beside it.
        own.leaving = waiting;
        own.waiting = open(own);
      } else if (waiting === null) own.waiting = open(own);
      else if (waiting.sent !== null && bounds.bug !== 'supersede-off') own.waiting = open(own);
    });
  }
  const isTracked = (task: Task | null): boolean =>
    task !== null && task.id === flight?.id && task.attempt === flight.claim?.attempt;
  const worker = endpoint.tasks.findIndex(isTracked);
  if (flight?.claim && (worker === -1 || state.crashes < bounds.crashes)) {
    add('expire', worker, (draft, own) => {
      // The worker of a claim that expires is suspended, if it has not crashed. It may resume, but
      // its clock no longer allows a first byte.
      if (worker !== -1) draft.crashes += 1;
      const task = own.tasks[worker];
      if (task?.phase === 'claimed') {
        own.tasks[worker] = { ...task, phase: 'failed', maybeSent: false };
      } else if (task) task.isLate = true;
      end(own, flight, { isAccepted: false, maybeSent: true });
    });
  }
}

/** Ends an attempt of the delivery in flight: its claim is over. */
function end(
  own: Endpoint,
  { id, claim }: Delivery,
  { isAccepted, maybeSent }: { isAccepted: boolean; maybeSent: boolean },
): void {
  const data = claim?.data ?? 0;
  const isLeaving = own.leaving?.id === id;
  if (isLeaving) own.leaving = null;
  if (maybeSent) own.maybeSeen = !isAccepted;
  if (isAccepted) own.acknowledged = data;
  if (isLeaving || own.waiting?.id !== id) return;
  if (isAccepted) own.waiting = null;
  else {
    own.waiting.claim = null;
    if (maybeSent) own.waiting.sent = data;
  }
}

interface Place {
  index: number;
  worker: number;
}

function addWorkerSteps(state: State, { index, worker }: Place, bounds: Bounds, add: Add): void {
  const endpoint = state.endpoints[index];
  const task = endpoint?.tasks[worker] ?? null;
  if (endpoint === undefined) return;
  if (task === null) {
    const { waiting } = endpoint;
    if (waiting === null || inFlight(endpoint) !== null || isLocked(endpoint)) return;
    // Locks the endpoint and reads the data. A change may be committed before the claim is.
    return add('read', worker, (draft, own) => {
      const { id, attempts } = waiting;
      const read = { id, attempt: attempts + 1, data: draft.version, maybeSent: true };
      own.tasks[worker] = { ...read, phase: 'reading', isLate: false };
    });
  }
  if (state.crashes < bounds.crashes) {
    add('crash', worker, (draft) => {
      draft.crashes += 1;
      for (const each of draft.endpoints) {
        const lost = each.tasks[worker];
        each.tasks[worker] = null;
        const { waiting } = each;
        const isOpen = lost !== null && lost?.phase !== 'reading' && waiting?.id === lost?.id;
        if (bounds.bug === 'intent-not-durable' && isOpen && waiting) waiting.claim = null;
      }
    });
  }
  if (task.phase === 'reading') add('claim', worker, (_, own) => claim(own, worker, bounds.bug));
  if (task.phase === 'claimed') {
    add('send', worker, (_, own) => {
      own.tasks[worker] = { ...task, phase: 'sent' };
      return receive(own, task);
    });
  }
  if (task.phase === 'sent') {
    add('accept', worker, (_, own) => void (own.tasks[worker] = { ...task, phase: 'accepted' }));
  }
  if (state.failures < bounds.failures && (task.phase === 'claimed' || task.phase === 'sent')) {
    const fail = (name: string, maybeSent: boolean): void =>
      add(name, worker, (draft, own) => {
        draft.failures += 1;
        own.tasks[worker] = { ...task, phase: 'failed', maybeSent };
      });
    // Before its first byte, on the way, or on the way back.
    if (task.phase === 'claimed') fail('refuse', false);
    fail('lose', true);
  }
  if (task.phase !== 'accepted' && task.phase !== 'failed') return;
  // Recording a 2xx does not lock the endpoint.
  if (task.phase === 'failed' && isLocked(endpoint)) return;
  add('record', worker, (_, own) => {
    own.tasks[worker] = null;
    const flight = inFlight(own);
    const isClaim = flight?.claim?.attempt === task.attempt || bounds.bug === 'fencing-off';
    if (flight?.id !== task.id || !isClaim) return;
    end(own, flight, { isAccepted: task.phase === 'accepted', maybeSent: task.maybeSent });
  });
}

/** Decides what to do with the delivery that was read, and commits it. */
function claim(own: Endpoint, worker: number, bug: Bug | undefined): string | void {
  const task = own.tasks[worker];
  const { waiting } = own;
  own.tasks[worker] = null;
  if (!task || waiting?.id !== task.id) return;
  const isSending = (each: Task | null): boolean =>
    each !== null && !each.isLate && (each.phase === 'claimed' || each.phase === 'sent');
  if (own.tasks.some(isSending)) return 'two deliveries are in flight';
  if (waiting.sent !== null && waiting.sent !== task.data && bug !== 'supersede-off') {
    own.waiting = open(own);
  } else if (task.data === own.acknowledged && !own.maybeSeen) own.waiting = null;
  else {
    waiting.attempts = task.attempt;
    waiting.claim = { attempt: task.attempt, data: task.data };
    own.tasks[worker] = { ...task, phase: 'claimed' };
  }
}

function receive({ receiver }: Endpoint, { id, data }: Task): string | void {
  const body = receiver.bodies[id] ?? null;
  if (body !== null) return body === data ? undefined : 'an id arrived with other data';
  receiver.bodies[id] = data;
  if (data < receiver.newest) return 'older data arrived after newer data';
  receiver.newest = data;
}
