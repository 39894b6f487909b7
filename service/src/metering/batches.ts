/** Many questions in one: while one batch is asked, the next one gathers. */
export interface Batches<Question, Answer> {
  ask(question: Question): Promise<Answer>;
}

/** As many questions go into one batch at most, so that none waits long for its own answer. */
const SIZE_MAX = 200;

/** `run` answers questions in their order; when it rejects, so do all of its questions. */
export function batches<Question, Answer>(
  run: (questions: readonly Question[]) => Promise<readonly Answer[]>,
): Batches<Question, Answer> {
  const waiting: {
    question: Question;
    resolve: (answer: Answer) => void;
    reject: (error: unknown) => void;
  }[] = [];
  let isRunning = false;

  async function pump(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, SIZE_MAX);
      try {
        const answers = await run(batch.map(({ question }) => question));
        batch.forEach(({ resolve, reject }, index) => {
          const answer = answers[index];
          if (answer === undefined) reject(new Error('A question got no answer.'));
          else resolve(answer);
        });
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isRunning = false;
  }

  return {
    ask: (question) =>
      new Promise((resolve, reject) => {
        waiting.push({ question, resolve, reject });
        if (!isRunning) void pump();
      }),
  };
}
