// An algorithm of one's own: server momentum that a weight follows only while the clients still pull that way. Where
// they pull back, the weight takes their mean and its velocity begins anew (after Liang, Chen, Liu and Liu, "Cautious
// Optimizers", 2024, arXiv:2411.16085, which does so with an optimizer's steps).
import { type AlgorithmFactory, algorithms, serverStep } from "elenchus";
import { z } from "zod";

const options = z.object({
  momentum: z.number().min(0).lt(1).default(0.7).meta({
    description: "What of the last round's velocity stays where clients agree with it.",
  }),
});

const cautious: AlgorithmFactory = (table) => {
  const { momentum } = options.parse(table);
  return {
    name: "cautious",
    server: serverStep({
      slots: { velocity: 0 },
      step(x, change, { velocity }, index) {
        const agrees = velocity[index]! * change > 0;
        velocity[index] = (agrees ? momentum * velocity[index]! : 0) + change;
        return x + velocity[index]!;
      },
    }),
    client: {},
  };
};

algorithms.register("cautious", Object.assign(cautious, { options }), {
  description: "Server momentum where clients agree with it",
});
