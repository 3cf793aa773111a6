import { changeParams, linkTo } from "../address.js";
import { Heading } from "../parts/Heading.jsx";
import { counted } from "../parts/numbers.js";
import { holdsWords, SearchBox } from "../parts/SearchBox.jsx";
import { Empty, Loading, Problem } from "../parts/States.jsx";
import { service } from "../service/service.js";
import { useReply } from "../service/useReply.js";

/** All scorers, and those that were registered here. */
export function ScorerList({ params }: { params: URLSearchParams }) {
  const asked = useReply((signal) => service.scorers(signal), "scorers");
  const find = params.get("find") ?? "";
  const all = asked.value?.data;
  const scorers = all?.filter((one) => holdsWords(`${one.identifier} ${one.description ?? ""}`, find));
  return (
    <>
      <Heading title="Scorers">
        <div class="tools">
          <SearchBox
            label="Find scorers"
            value={find}
            onChange={(text) => changeParams({ find: text })}
            found={scorers === undefined ? "" : counted(scorers.length, "scorer")}
          />
        </div>
      </Heading>
      {asked.problem && <Problem problem={asked.problem} retry={asked.reload} />}
      {all === undefined && !asked.problem && <Loading what="scorers" />}
      {scorers?.length === 0 && <Empty title="No scorer has these words." />}
      {scorers !== undefined && scorers.length > 0 && (
        <div class="card-table">
          <table class="list">
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">What it does</th>
                <th scope="col">Gives</th>
              </tr>
            </thead>
            <tbody>
              {scorers.map((one) => (
                <tr key={one.identifier}>
                  <td class="main-cell">
                    <a href={linkTo("scorers", one.identifier)} data-row>
                      {one.identifier}
                    </a>
                  </td>
                  <td>{one.description ?? "–"}</td>
                  <td data-label="Gives">{one.return_type.type}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}
