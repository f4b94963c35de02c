//! Where a process listens, and from where it connects to others.

use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::time::Duration;

use socket2::{Domain, Socket, Type};

use crate::faults::Fault;

/// Where a process listens.
#[derive(Debug)]
pub struct Place {
    pub(crate) listener: TcpListener,
    /// Where others find it.
    pub(crate) named: String,
    /// From where others may come.
    from: Vec<IpAddr>,
    /// Where all are, where that was said beforehand.
    pub(crate) hosts: Option<Vec<String>>,
}

impl Place {
    /// Any port of this machine, for this machine alone.
    ///
    /// # Errors
    /// Where there is none.
    pub fn here() -> Result<Place, Fault> {
        let bound = TcpListener::bind("127.0.0.1:0");
        let place = bound.and_then(|listener| Ok((listener.local_addr()?, listener)));
        let (address, listener) = place
            .map_err(|error| format!("no port can be listened at on this machine: {error}"))?;
        Ok(Place {
            listener,
            named: address.to_string(),
            from: vec![address.ip()],
            hosts: None,
        })
    }

    /// One of the hosts, each named with its port.
    ///
    /// # Errors
    /// Where it has no such address, or the port is taken; or where one of the others is not known, or cannot be found by
    /// all.
    pub fn of_host(hosts: &[String], process: usize) -> Result<Place, Fault> {
        let from = addresses_of(hosts)?;
        let named = hosts.get(process).cloned().unwrap_or_default();
        let listener = TcpListener::bind(&named[..]).map_err(|error| {
            let why = match error.kind() {
                io::ErrorKind::AddrInUse => {
                    "the port is taken; write another one into the file of hosts".to_owned()
                }
                io::ErrorKind::AddrNotAvailable => {
                    "that is no address of this machine; give another `--process`".to_owned()
                }
                _ => error.to_string(),
            };
            format!("`{named}` cannot be listened at: {why}")
        })?;
        Ok(Place {
            listener,
            named,
            from,
            hosts: Some(hosts.to_vec()),
        })
    }

    /// One of the hosts, where somebody listens for it already: a port that is never given back is nobody else's meanwhile.
    ///
    /// # Errors
    /// Where one of the hosts is not known, or cannot be found by all.
    pub fn that_listens(
        listener: TcpListener,
        hosts: &[String],
        process: usize,
    ) -> Result<Place, Fault> {
        Ok(Place {
            listener,
            named: hosts.get(process).cloned().unwrap_or_default(),
            from: addresses_of(hosts)?,
            hosts: Some(hosts.to_vec()),
        })
    }

    /// Where others find it.
    pub fn named(&self) -> &str {
        &self.named
    }

    pub(crate) fn try_clone(&self) -> io::Result<Place> {
        Ok(Place {
            listener: self.listener.try_clone()?,
            named: self.named.clone(),
            from: self.from.clone(),
            hosts: self.hosts.clone(),
        })
    }

    /// Whether it listens to this one.
    pub(crate) fn may_come(&self, stream: &TcpStream) -> bool {
        let peer = stream.peer_addr();
        peer.is_ok_and(|peer| self.from.contains(&peer.ip()))
    }

    /// A connection from here: of a machine's addresses others listen to the one at which they find it.
    ///
    /// # Errors
    /// Where nobody listens there within that time.
    pub(crate) fn connect(&self, to: &SocketAddr, time: Duration) -> io::Result<TcpStream> {
        let mut own = self.listener.local_addr()?;
        if own.is_ipv4() != to.is_ipv4() {
            return TcpStream::connect_timeout(to, time);
        }
        own.set_port(0);
        let socket = Socket::new(Domain::for_address(*to), Type::STREAM, None)?;
        socket.bind(&own.into())?;
        socket.connect_timeout(&(*to).into(), time)?;
        Ok(socket.into())
    }
}

/// All addresses of all hosts.
///
/// # Errors
/// Where one of them is not known, or cannot be found by all others.
fn addresses_of(hosts: &[String]) -> Result<Vec<IpAddr>, Fault> {
    let mut all: Vec<(SocketAddr, &str)> = Vec::new();
    let mut is_here = Vec::new();
    for host in hosts {
        let addresses = resolved(host).map_err(|error| unknown(host, &error))?;
        if let Some(nowhere) = addresses
            .iter()
            .find(|one| one.ip().is_unspecified() || one.port() == 0)
        {
            return Err(format!(
                "`{host}` is {nowhere}, which no process can reach; write an address and a port of its machine"
            ));
        }
        let of_itself = addresses.iter().find(|one| one.ip().is_loopback());
        is_here.push(of_itself.map(SocketAddr::ip));
        if let Some((address, other)) = all.iter().find(|(one, _)| addresses.contains(one)) {
            return Err(format!(
                "`{other}` and `{host}` are both {address}, where two processes cannot both listen; give each \
                 an address or a port of its own"
            ));
        }
        all.extend(addresses.into_iter().map(|address| (address, &host[..])));
    }
    // What a machine calls itself may be known to itself alone.
    let here = hosts
        .iter()
        .zip(&is_here)
        .find_map(|(host, is_here)| Some((host, (*is_here)?)));
    if let Some((here, address)) = here
        && let Some(there) = is_here.iter().position(Option::is_none)
    {
        return Err(format!(
            "`{here}` is {address}, which only its own machine can reach, and `{}` is on another one; write its \
             address in the network",
            hosts[there]
        ));
    }
    Ok(all.iter().map(|(address, _)| address.ip()).collect())
}

/// # Errors
/// Where it is no address, or there is none of that name, or that cannot be found out.
pub(crate) fn resolved(host: &str) -> io::Result<Vec<SocketAddr>> {
    host.to_socket_addrs().map(Iterator::collect)
}

pub(crate) fn unknown(host: &str, error: &io::Error) -> Fault {
    format!("`{host}` is no address of a machine with a port that is known here: {error}")
}
