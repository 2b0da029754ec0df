"""Attacks of one visitor on another, as functions that return whether the attack succeeded.

The first line of a docstring describes the attack; ``python tests/attacks/table.py`` prints it with its
result. `ATTACKS` succeed on a server that does not separate visitors; each of `FORGERIES` is listed with the
genuine act that it imitates.
"""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Callable
from contextlib import suppress
from contextvars import ContextVar
from typing import Any

from attacks.attacker import SECONDS, Client, Page, Refused
from attacks.conftest import PAGES, World
from bokeh.util.token import generate_jwt_token, get_session_id

from lrbn_viz.server.visitors.tokens import Signer, new_id

Attempt = Callable[[World], bool]
ATTACKS: list[Attempt] = []
FORGERIES: list[tuple[Attempt, Attempt]] = []
_patient: ContextVar[bool] = ContextVar("patient", default=False)


def attack(attempt: Attempt) -> Attempt:
    """Add an attack to `ATTACKS`."""
    ATTACKS.append(attempt)
    return attempt


def forgery(genuine: Attempt) -> Callable[[Attempt], Attempt]:
    """Add an attack to `FORGERIES`, with the genuine act, which succeeds."""

    def count(attempt: Attempt) -> Attempt:
        FORGERIES.append((attempt, genuine))
        return attempt

    return count


TURNS, TURN_SECONDS = 4, 15.0
"""Number of requests for a page, and seconds in which a visitor may open three more pages."""


def succeeds(attempt: Attempt, world: World, patient: bool = False) -> bool:
    """Return whether an attack succeeds; one that is refused does not.

    A genuine act is `patient`: it waits as long as for any answer of a busy server, and for its turn if pages
    are opened faster than a visitor may open them.
    """
    before = _patient.set(patient)
    try:
        for _ in range(TURNS if patient else 1):
            try:
                return attempt(world)
            except Refused as refused:
                if "a second" not in str(refused):
                    return False
                time.sleep(TURN_SECONDS)
        return False
    finally:
        _patient.reset(before)


def attach(page: Page, name: str) -> bool:
    """Try to watch a run, and return whether it is watched."""
    page.told.clear()
    page.say("TrainForm", type="attach", name=name)
    page.wait(
        lambda: page.run_name == name or any(words in page.error for words in ("There is no", "expected"))
    )
    return page.run_name == name


def got(page: Page, condition: Callable[[], bool], seconds: float = 1.5) -> bool:
    """Return whether a condition becomes true within some seconds; a patient act waits longer."""
    with suppress(AssertionError):
        return page.wait(condition, SECONDS if _patient.get() else seconds)
    return False


def stands(world: World) -> bool:
    """Return whether the target has halted, by the victim's page."""
    world.page.settle()
    return got(world.page, world.halted, 1.0)


def tells(page: Page, words: str) -> Callable[[], bool]:
    """Return a function that says whether any message to a page contains some words."""
    return lambda: words in "".join(page.told)


# -- another's runs


@attack
def list_the_runs_of_another(world: World) -> bool:
    """Open the Train page, and read the list of runs."""
    target, page = world.target, world.client().open()
    page.settle()
    return got(page, tells(page, target), 2.5)  # a list is two seconds old at most


@attack
def attach_to_a_run_of_another(world: World) -> bool:
    """Send "attach" with the name of another's run."""
    return attach(world.client().open(), world.target)


@attack
def open_a_link_to_a_run_of_another(world: World) -> bool:
    """Open an address that names another's run."""
    target = world.target
    page = world.client().open(f"/?page=train&run={target}")
    return got(page, lambda: page.run_name == target, 3.0)


@attack
def tell_whether_a_run_exists(world: World) -> bool:
    """Compare the answers about a run of another and about one that does not exist."""
    target, page = world.target, world.client().open()
    found = attach(page, target)
    first, none = page.error.replace(target, ""), target[:-1] + ("x" if target[-1] != "x" else "y")
    attach(page, none)
    page.wait(lambda: none in page.error)  # what the page said of the first may come once more
    return found or first != page.error.replace(none, "")


@attack
def guess_the_names_of_runs(world: World) -> bool:
    """Try all names that runs of the last minute have where names can be guessed."""
    began, page = time.time(), world.client().open()
    _ = world.target
    names = [time.strftime("digits-%Y%m%d-%H%M%S", time.localtime(began - ago)) for ago in range(-5, 90)]
    return any(attach(page, name) for name in names if (world.runs / name).exists() or name == names[-1])


def halts(world: World, act: str) -> bool:
    """Return whether the target halts after another visitor has attached to it and pressed a button."""
    page = world.client().open()
    attach(page, world.target)
    page.say("TrainBoard", type=act)
    page.settle()
    return world.harmed(stands(world))


@attack
def pause_a_run_of_another(world: World) -> bool:
    """Attach to another's run, and send "pause"."""
    return halts(world, "pause")


@attack
def stop_a_run_of_another(world: World) -> bool:
    """Attach to another's run, and send "stop"."""
    return halts(world, "stop")


@attack
def end_a_run_of_another_by_its_name(world: World) -> bool:
    """Send "end", a command of the lecturer, with the name of another's run."""
    page = world.client().open()
    page.say("TrainForm", type="end", name=world.target)
    page.settle()
    return world.harmed(stands(world))


@attack
def change_the_settings_of_a_run_of_another(world: World) -> bool:
    """Attach to another's run, and give it one epoch."""
    page = world.client().open()
    attach(page, world.target)
    page.say("TrainBoard", type="pause")
    page.settle()
    page.say("TrainForm", type="edit", path="amount", text="1")
    page.settle()
    page.say("TrainBoard", type="start")
    return world.harmed(stands(world))


@attack
def branch_from_a_run_of_another(world: World) -> bool:
    """Attach to another's run, look back, and send "branch"."""
    target, page = world.target, world.client().open()
    attach(page, target)
    page.say("TrainBoard", type="pause")
    page.say("TrainBoard", type="look", step=1)
    page.settle()
    page.say("TrainBoard", type="branch")
    found = got(page, lambda: page.run_name not in ("", target), 3.0)
    return world.harmed(found)


@attack
def download_a_model_of_another(world: World) -> bool:
    """Attach to another's run, and send "save"."""
    page = world.client().open()
    attach(page, world.target)
    page.say("TrainForm", type="save", lane=0)
    page.settle()
    return got(page, tells(page, ".npz"))


@attack
def inspect_a_run_of_another(world: World) -> bool:
    """Attach to another's run, and open its model on the Inference page."""
    target, page = world.target, world.client().open()
    attach(page, target)
    page.say("TrainForm", type="show", lane=0)
    return got(page, tells(page, f"live:{target}"))


@attack
def delete_a_run_of_another(world: World) -> bool:
    """Send "delete" with the name of another's run, once nobody watches it."""
    target, page = world.target, world.client().open()
    world.page.say("TrainBoard", type="leave")  # one that is watched is deleted by nobody
    world.page.wait(lambda: not world.page.run_name)
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:  # a server notices within seconds that an attacker before has left
        page.say("TrainForm", type="delete", name=target)
        page.wait(
            lambda: (
                not (world.runs / target).exists()
                or "There is no run" in page.error
                or "is open on a page" in page.error
            )
        )
        if not (world.runs / target).exists() or "is open on a page" not in page.error:
            break
        page.listen(1.0)
    return world.harmed(not (world.runs / target).exists())


def deleted_run(world: World) -> str:
    """Let the victim delete the target, and return its key in the trash."""
    target, page = world.target, world.page
    page.say("TrainBoard", type="leave")
    page.wait(lambda: not page.run_name)
    page.say("TrainForm", type="delete", name=target)
    found = page.wait(lambda: [each for each in page.values["runs"]["deleted"] if each["name"] == target])
    world.spent()
    return found[0]["key"]


@attack
def read_the_trash_of_another(world: World) -> bool:
    """Open the Train page, and read which runs can be restored."""
    key, page = deleted_run(world), world.client().open()
    page.settle()
    return got(page, tells(page, key), 2.5)


@attack
def undo_what_another_deleted(world: World) -> bool:
    """Send "undo" with the key of a run that another has deleted."""
    key, page = deleted_run(world), world.client().open()
    page.say("TrainForm", type="undo", key=key)
    name = key.partition("-")[2]
    page.wait(lambda: (world.runs / name).exists() or "expected a run" in page.error)
    return (world.runs / name).exists()


@attack
def read_an_upload_of_another(world: World) -> bool:
    """Attach to a run that another trains on images of their own, and read the images that it shows."""
    table = "\n".join(",".join(str((7 * row * col) % 16) for col in range(64)) for row in range(120))
    mine = world.client().open()
    mine.upload("private.csv", table.encode())
    name = mine.train(dataset="private")
    page = world.client().open()
    return attach(page, name)


@attack
def reach_a_run_by_a_path(world: World) -> bool:
    """Send "attach", "delete" and "undo" with paths that lead to another's run."""
    target, page = world.target, world.client().open()
    for path in (
        f"../{world.runs.name}/{target}",
        f"./{target}",
        f"{target}/",
        f"{target}%00",
        "..",
        ".trash",
    ):
        for message in ({"type": "attach", "name": path}, {"type": "delete", "name": path}):
            page.say("TrainForm", **message)
    page.say("TrainForm", type="undo", key=f"1-../{target}")
    page.say("TrainForm", type="undo", key=f"../{target}")
    page.settle()
    page.listen(0.5)
    if page.run_name or not (world.runs / target).exists():
        return True
    return attach(page, target)  # the plain name, where nobody is kept apart


# -- another's session


@attack
def join_a_session_by_its_token(world: World) -> bool:
    """Open the websocket of another's page with the token of that page."""
    page = world.client().join(world.page.token)
    return "TrainBoard" in page.components


@attack
def join_a_session_by_its_id(world: World) -> bool:
    """Request a page of another's session by its id, and join it."""
    client = world.client()
    page = client.join(client.token(f"/?bokeh-session-id={get_session_id(world.page.token)}"))
    return "TrainBoard" in page.components


@attack
def join_a_session_by_its_id_in_a_header(world: World) -> bool:
    """Request a page of another's session by its id, in a header."""
    answer = world.client().get("/", Bokeh_Session_Id=get_session_id(world.page.token))
    return '"token":"' in answer.body


@attack
def embed_a_session_of_another(world: World) -> bool:
    """Request the script that embeds another's session in another page."""
    session = get_session_id(world.page.token)
    answer = world.client().get(f"/autoload.js?bokeh-autoload-element=x&bokeh-session-id={session}")
    return '"token":"' in answer.body.replace("\\", "")


@attack
def fix_the_session_of_another(world: World) -> bool:
    """Let another open an address with the id of the attacker's session, and watch it."""
    page, victim = world.client().open(), world.client()
    session = get_session_id(page.token)
    theirs = victim.join(victim.token(f"/?page=train&bokeh-session-id={session}"))
    return theirs.values.get("born") == page.values.get("born")


@attack
def choose_the_id_of_a_session(world: World) -> bool:
    """Request a page with an invented session id, to which others could be led."""
    client = world.client()
    return '"token":"' in client.get("/?bokeh-session-id=chosen-by-me").body


@attack
def forge_the_token_of_a_session(world: World) -> bool:
    """Write a token for another's session, and join it."""
    token = generate_jwt_token(get_session_id(world.page.token), signed=False)
    client = world.client()
    client.get("/")
    return "TrainBoard" in client.join(token).components


@attack
def replay_the_token_of_one_who_has_left(world: World) -> bool:
    """Join the session of another after they have left, with the token of their page."""
    victim = world.client()
    token = victim.token()
    client = world.client()
    client.get("/")
    return "TrainBoard" in client.join(token).components


# -- another's name


def with_cookie(world: World, kind: str, token: str) -> Client:
    """Return a client with a cookie of the server's."""
    client, signer = world.client(), Signer((world.runs / ".visitors" / "secret").read_bytes())
    client.cookies[f"lrbn_viz_{kind}_{signer.tag}"] = token
    return client


def cookie_of(world: World) -> str:
    """Return the victim's token."""
    _ = world.page
    (token,) = [value for name, value in world.victim.cookies.items() if "visitor" in name]
    return token


def signer_of(world: World) -> Signer:
    """Return the signer of the server, as an intruder with access to its files would have it."""
    return Signer((world.runs / ".visitors" / "secret").read_bytes())


def victims_second_window(world: World) -> bool:
    """Open the victim's run with the victim's own cookie."""
    return attach(with_cookie(world, "visitor", cookie_of(world)).open(), world.target)


@forgery(victims_second_window)
def forge_the_cookie_of_another(world: World) -> bool:
    """Send a cookie with another's id and an invented signature."""
    said = cookie_of(world).rpartition(".")[0]
    forged = base64.urlsafe_b64encode(bytes(32)).rstrip(b"=").decode()
    return attach(with_cookie(world, "visitor", f"{said}.{forged}").open(), world.target)


@forgery(victims_second_window)
def put_the_id_of_another_into_an_own_cookie(world: World) -> bool:
    """Send one's own cookie, with another's id in the place of one's own."""
    client = world.client()
    client.get("/")
    ((name, own),) = client.cookies.items()
    client.cookies[name] = own.replace(own.split(".")[1], cookie_of(world).split(".")[1])
    return attach(client.open(), world.target)


@forgery(victims_second_window)
def alter_the_signature_of_a_cookie(world: World) -> bool:
    """Send another's cookie with one letter of its signature changed, and with none."""
    token = cookie_of(world)
    changed = token[:-5] + ("A" if token[-5] != "A" else "B") + token[-4:]
    both = (changed, token.rpartition(".")[0] + ".")
    return any(attach(with_cookie(world, "visitor", each).open(), world.target) for each in both)


@forgery(victims_second_window)
def use_a_cookie_that_has_expired(world: World) -> bool:
    """Send a cookie of another's that was valid until a minute ago."""
    token = signer_of(world).sign("visitor", cookie_of(world).split(".")[1], time.time() - 60)
    return attach(with_cookie(world, "visitor", token).open(), world.target)


@forgery(victims_second_window)
def put_off_the_end_of_a_cookie(world: World) -> bool:
    """Send a cookie of another's that has expired, with a later end written into it."""
    kind, name, end, signature = (
        signer_of(world).sign("visitor", cookie_of(world).split(".")[1], 1e9).split(".")
    )
    token = f"{kind}.{name}.{int(end) + 10**9}.{signature}"
    return attach(with_cookie(world, "visitor", token).open(), world.target)


@forgery(victims_second_window)
def use_the_token_of_another_server(world: World) -> bool:
    """Send a cookie for another's id that another server has signed."""
    token = Signer(b"the secret of another server").sign(
        "visitor", cookie_of(world).split(".")[1], time.time() + 1000
    )
    return attach(with_cookie(world, "visitor", token).open(), world.target)


def page_with_a_cookie(world: World) -> bool:
    """Open a page, which sets a cookie, and then its websocket."""
    return "TrainBoard" in world.client().open().components


@forgery(page_with_a_cookie)
def join_without_a_cookie(world: World) -> bool:
    """Open the websocket of an own page without the cookie that the page has set."""
    client = world.client()
    token = client.token()
    client.cookies.clear()
    return "TrainBoard" in client.join(token).components


@forgery(page_with_a_cookie)
def open_the_websocket_from_another_site(world: World) -> bool:
    """Open the websocket of somebody's page from a page of another site, with their cookie."""
    client = world.client()
    return "TrainBoard" in client.join(client.token(), Origin="http://elsewhere.example").components


def cookie_that_is_set(world: World) -> bool:
    """Find the token in the line that sets the cookie."""
    client = world.client()
    answer = client.get("/?page=train")
    (token,) = client.cookies.values()
    return token in str(answer.headers)


@forgery(cookie_that_is_set)
def read_the_cookie_by_a_script(world: World) -> bool:
    """Look for the visitor's cookie where scripts of a page can read."""
    client = world.client()
    answer = client.get("/?page=train")
    ((_, token),) = client.cookies.items()
    lines = [value for name, value in answer.headers if name.lower() == "set-cookie"]
    line = next(line for line in lines if token in line)
    page = client.open()
    found = answer.body + "".join(page.told)
    payload = page.token.split(".")[0]
    inside = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
    packed = [value for value in inside.values() if isinstance(value, str)]
    found += "".join(unpacked(each) for each in packed)
    return token in found or "HttpOnly" not in line or "SameSite=Lax" not in line


def unpacked(text: str) -> str:
    """Return what Bokeh has packed into a token."""
    import zlib

    with suppress(Exception):
        return zlib.decompress(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))).decode()
    return text


# -- the lecturer's role


def lecturer(world: World) -> Client:
    """Return a client that has opened the lecturer's address."""
    client = world.client()
    assert client.get(f"/lecturer?key={world.key}").status == 303
    return client


def sees_the_target(client: Client, world: World) -> bool:
    """Return whether a client's list of runs contains the victim's run."""
    target, page = world.target, client.open()
    page.settle()
    return got(page, tells(page, target), 2.5)


def lecturer_sees_all_runs(world: World) -> bool:
    """Open the lecturer's address, and read the list of runs."""
    return sees_the_target(lecturer(world), world)


@forgery(lecturer_sees_all_runs)
def guess_the_secret_of_the_lecturer(world: World) -> bool:
    """Try secrets at the lecturer's address, the right one but for its last letter among them."""
    client, key = world.client(), world.key
    client.get("/")
    for guess in ("", "admin", "lecturer", key[:-1], key + "A", key.swapcase(), "A" * len(key), new_id()):
        if client.get(f"/lecturer?key={guess}").status != 403:
            return True
    client.get(f"/lecturer?key={key[:-1]}&key={key[-1]}")
    return sees_the_target(client, world)


@forgery(lecturer_sees_all_runs)
def take_the_role_cookie_of_the_lecturer(world: World) -> bool:
    """Send the cookie of the lecturer's role beside a cookie of one's own."""
    teacher, client = lecturer(world), world.client()
    client.get("/")
    client.cookies |= {name: value for name, value in teacher.cookies.items() if "lecturer" in name}
    return sees_the_target(client, world)


@forgery(lecturer_sees_all_runs)
def pass_an_own_token_off_as_the_lecturers(world: World) -> bool:
    """Send one's own token of a visitor as that of the lecturer's role."""
    client = world.client()
    client.get("/")
    ((name, token),) = list(client.cookies.items())
    for each in (token, token.replace("visitor.", "lecturer.", 1)):
        client.cookies[name.replace("visitor", "lecturer")] = each
        if sees_the_target(client, world):
            return True
    return False


# -- more than a share


def limited(page: Page) -> bool:
    """Return whether a page reports a limit."""
    return "A limit of this server" in "".join(page.told)


@attack
def take_the_places_of_all_runs(world: World) -> bool:
    """Begin one run after another, each of which goes on by itself."""
    page, names = world.client().open(), []
    page.told.clear()
    page.say("TrainForm", type="carry", on=True)
    for _ in range(5):
        before = page.run_name
        if not before:
            page.say("TrainForm", type="edit", path="preset", text="small")
            page.say("TrainForm", type="edit", path="amount", text="2000")
            page.say("TrainBoard", type="start")
        else:
            page.say("TrainBoard", type="reset")
        page.wait(lambda before=before: page.run_name not in ("", before) or limited(page))
        if limited(page):
            break
        names.append(page.run_name)
        page.say("TrainBoard", type="start")
    for name in names:
        page.say("TrainForm", type="end", name=name)
    page.settle()
    return len(names) == 5


def begins_with(world: World, path: str, text: str) -> bool:
    """Return whether a run starts with one field of the form changed."""
    page = world.client().open()
    page.say("TrainForm", type="edit", path="preset", text="small")
    page.say("TrainForm", type="edit", path=path, text=text)
    page.say("TrainBoard", type="start")
    page.wait(lambda: page.run_name or limited(page))
    return bool(page.run_name)


@attack
def train_a_giant(world: World) -> bool:
    """Request more latents than a layer may have, and start."""
    return begins_with(world, "0.n_components", "4000")


@attack
def train_for_ever(world: World) -> bool:
    """Request more than the two hours that a run may take, and start."""
    return begins_with(world, "amount", "100000")


@attack
def open_pages_without_end(world: World) -> bool:
    """Request more pages at once than a visitor may open."""
    client = world.client()
    return all('"token":"' in client.get("/?page=train").body for _ in range(PAGES + 1))


@attack
def flood_a_page_with_messages(world: World) -> bool:
    """Send 300 messages at once, and have nearly all of them answered."""
    page = world.client().open()
    page.settle()
    page.told.clear()
    for number in range(300):
        page.say("Navigation", type="wide", width=1920 + 11 * number)
    page.settle()
    return "".join(page.told).count('"attr":"sidebar_width"') > 290


# -- a class


OPEN, UNTOLD = ("surest-unit", 1), ("start", 1)
"""Questions that are voted on, and one whose answer nobody has been told."""
SAID_LATER = "\u2212172.3 nats, with 8 wrong pixels"
"""Part of the answer to `UNTOLD`."""


def send(client: Client, path: str, **said: str | int) -> str:
    """Send JSON to the class; return the status and the answer."""
    answer = client.post(f"/class/{path}", json.dumps(said), "application/json")
    return f"{answer.status} {json.dumps(json.loads(answer.body), ensure_ascii=False) if answer.body else ''}"


def lead(world: World, *commands: str, question: tuple[str, int] = OPEN) -> dict[str, Any]:
    """Lead the class by the lecturer's key; what the board shows then."""
    client, answer = world.client(), ""
    for command in commands:
        said = {"command": command, "lesson": question[0], "step": question[1]}
        answer = send(client, f"lead?key={world.class_key}", **said)
    return json.loads(answer.partition(" ")[2]).get("led", {})


def begin_vote(world: World, question: tuple[str, int] = OPEN) -> Client:
    """Open a question and its vote, and return a student who is in the class."""
    lead(world, "own", "lead", "open", "vote", question=question)
    student = world.client()
    student.get("/class/state?since=")
    return student


def vote(student: Client, option: int, number: int = 1) -> str:
    """Vote on the open question; return the status and the answer."""
    return send(student, "votes", lesson=OPEN[0], step=OPEN[1], round=number, option=option)


def counted(world: World) -> int:
    """End the vote, and return how many votes are counted."""
    return sum(lead(world, "close")["votes"][-1])


def lead_with_the_key(world: World) -> bool:
    """Open a question with the key that the server has printed."""
    return lead(world, "own", "lead", "open")["phase"] == "asked"


@forgery(lead_with_the_key)
def lead_the_class_as_a_student(world: World) -> bool:
    """Send the lecturer's commands without a key, with another one, and with the key to the runs."""
    lead(world, "own", "lead")
    student = world.client()
    student.get("/class/state?since=")
    for key in ("", "wrong", world.key, "%00"):
        for command in ("open", "own"):
            send(student, f"lead?key={key}", command=command, lesson=OPEN[0], step=OPEN[1])
    return '"phase": "waiting"' not in student.get("/class/state?since=").body


def vote_once(world: World) -> bool:
    """Vote while the vote is open."""
    vote(begin_vote(world), 0)
    return counted(world) == 1


@forgery(vote_once)
def vote_twice(world: World) -> bool:
    """Vote, and again for something else, at once and after the page has been opened again."""
    student = begin_vote(world)
    vote(student, 0)
    vote(student, 1)
    student.get("/class/live.html")
    student.get("/class/state?since=")
    vote(student, 2)
    return counted(world) != 1


@forgery(vote_once)
def vote_with_an_invented_seat(world: World) -> bool:
    """Vote with no cookie of the class, with an altered one, and with one that the attacker has signed."""
    student = begin_vote(world)
    ((name, seat),) = student.cookies.items()
    own = Signer(b"the secret of another server").sign("seat", new_id(), time.time() + 1000)
    for cookie in (
        "",
        seat[:-1] + ("A" if seat[-1] != "A" else "B"),
        seat.replace(seat.split(".")[1], new_id()),
        own,
    ):
        student.cookies = {name: cookie}
        vote(student, 0)
    return counted(world) > 0


@forgery(vote_once)
def vote_when_no_vote_is_open(world: World) -> bool:
    """Vote before the vote begins, after it has ended, and in a round that has ended."""
    student = begin_vote(world)
    lead(world, "open")
    vote(student, 0)
    lead(world, "vote", "close")
    vote(student, 0)
    lead(world, "vote")
    vote(student, 0, number=1)
    return counted(world) > 0 or sum(lead(world, "reveal")["votes"][0]) > 0


def see_the_answer_when_it_is_revealed(world: World) -> bool:
    """Read the state of the class once the lecturer has revealed the answer."""
    student = begin_vote(world, UNTOLD)
    lead(world, "close", "reveal")
    return SAID_LATER in json.dumps(json.loads(student.get("/class/state?since=").body), ensure_ascii=False)


@forgery(see_the_answer_when_it_is_revealed)
def see_the_answer_early(world: World) -> bool:
    """Predict the open question as if at one's own pace, and read the state, the board and the counts."""
    student = begin_vote(world, UNTOLD)
    said = [send(student, "predictions", lesson=UNTOLD[0], step=UNTOLD[1], option=0, voice="attacker")]
    for path in (
        "state?since=",
        "state?board=1",
        "board?key=",
        "counts?key=wrong",
        "counts.csv",
        "live.html",
    ):
        said.append(student.get(f"/class/{path}").body)
    return any(SAID_LATER in text or '"answer"' in text for text in said)
